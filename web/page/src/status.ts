// The JSON of web/wasm/status_json.cpp and replay_exports.cpp.

export interface Label { name: string; kind: number; value: number; text: string }
export interface Report { body: number; mass: number; contacts: number; island: number }

export interface Statistics {
  tick_ms: number; longest_tick_ms: number; bytes_per_second: number
  counts: Record<string, number>; phases: Record<string, number>; stages: Record<string, number>
}

/** client::ClientState */
export const clientStates = ['connecting', 'joining', 'playing', 'failed'] as const

export interface Status {
  state: number; text: string; player: number; failure: number; reconnecting: boolean; silent_s: number
  scene: string; shown_tick: number; shown_s: number
  paused: boolean; gravity_off: boolean; rate_percent: number; shoot_on_click: boolean
  labels: Label[]
  metrics: {
    tick: number; rtt_ms: number; loss: number; bytes_down: number; bytes_up: number; total_down: number; snapshots: number
    delay_ms: number; latency_ms: number; age_ms: number; trouble: string
  }
  prediction: { running: boolean; text: string; ticks_ahead: number; error_m: number }
  lockstep: { running: boolean; text: string; hashes: number; ticks: number; desynced: boolean }
  statistics?: Statistics
  report?: Report
}

export interface ReplayStatus {
  first: number; last: number; tick: number; wanted: number; there: boolean; playing: boolean; rate: number; hz: number
  scene: string; program: string; compared: boolean; matches: boolean | null; differs: boolean
  difference?: { bodies: number; farthest: number; distance: number }
  differing: [number, number][]; diverged: [number, number][]; faults: number[]
  cut: string  // says which file has lost its end; empty: none
  labels: Label[]
  report?: Report
}

export interface Body {
  id: number; name: string; motion: number; awake: boolean; owner: number; shapes: number
  position: [number, number, number]; rotation: [number, number, number, number]
}

/** Returns a label's value with its unit; kinds as in state::LabelKind. */
export function labelText({ kind, value, text }: Label): string {
  switch (kind) {
    case 0: return `${(value * 100).toPrecision(3)} %`
    case 1: return `${value.toPrecision(4)} J`
    case 2: return `${value.toFixed(2)} m/s`
    case 3: return `${value.toFixed(2)} m`
    case 5: return `${value.toFixed(1)} s`
    case 6: return text
    default: return String(Number(value.toPrecision(6)))
  }
}

export const bytesText = (bytes: number): string =>
  bytes < 1e3 ? `${bytes.toFixed(0)} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(2)} MB`

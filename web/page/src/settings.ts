// Settings of the page, kept in the browser.

export interface Settings {
  name: string
  theme: 'system' | 'light' | 'dark'
  shadows: 'off' | 'hard' | 'soft'
  scale: number      // pixels of the picture per pixel of the screen
  isAdaptive: boolean  // draw fewer pixels while frames take too long
  turnSpeed: number
  invertTurn: boolean
  showFigures: boolean
  showTags: boolean
  showSleep: boolean
  stick: 'auto' | 'on' | 'off'
}

const key = 'jostle-settings'
export const defaults: Settings = {
  name: 'guest', theme: 'system', shadows: 'soft', scale: 1, isAdaptive: true, turnSpeed: 1, invertTurn: false, showFigures: true, showTags: true,
  showSleep: true, stick: 'auto',
}

/** Reads the settings; unknown and invalid values become the defaults. */
export function readSettings(): Settings {
  let kept: unknown = {}
  try {
    kept = JSON.parse(localStorage.getItem(key) ?? '{}')
  } catch { /* another program has written them */ }
  const found = typeof kept === 'object' && kept !== null ? kept as Partial<Record<keyof Settings, unknown>> : {}
  const pick = <T extends string>(value: unknown, known: readonly T[], other: T): T => known.find((each) => each === value) ?? other
  const number = (value: unknown, least: number, most: number, other: number): number =>
    typeof value === 'number' && value >= least && value <= most ? value : other
  const flag = (value: unknown, other: boolean): boolean => typeof value === 'boolean' ? value : other
  return {
    name: typeof found.name === 'string' && found.name.trim() !== '' ? found.name.slice(0, 24) : defaults.name,
    theme: pick(found.theme, ['system', 'light', 'dark'], defaults.theme),
    shadows: pick(found.shadows, ['off', 'hard', 'soft'], defaults.shadows),
    scale: number(found.scale, 0.5, 2, defaults.scale),
    isAdaptive: flag(found.isAdaptive, defaults.isAdaptive),
    turnSpeed: number(found.turnSpeed, 0.1, 5, defaults.turnSpeed),
    invertTurn: flag(found.invertTurn, defaults.invertTurn),
    showFigures: flag(found.showFigures, defaults.showFigures),
    showTags: flag(found.showTags, defaults.showTags),
    showSleep: flag(found.showSleep, defaults.showSleep),
    stick: pick(found.stick, ['auto', 'on', 'off'], defaults.stick),
  }
}

export function writeSettings(settings: Settings): void {
  try {
    localStorage.setItem(key, JSON.stringify(settings))
  } catch { /* a private window may have no storage */ }
}

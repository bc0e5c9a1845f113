// The form of the settings dialog.
import { element } from './dom'
import type { Settings } from './settings'

export function settingsForm(settings: Settings, apply: () => void): HTMLElement {
  const form = element('div', { class: 'fields' })
  let count = 0
  const add = (text: string, field: HTMLInputElement | HTMLSelectElement, set: () => void): void => {
    field.id = `setting-${++count}`
    field.addEventListener('change', () => { set(); apply() })
    form.append(element('label', { for: field.id }, text), field)
  }
  const choice = <K extends 'theme' | 'shadows' | 'stick'>(text: string, key: K, words: Record<Settings[K], string>): void => {
    const field = element('select')
    for (const [value, word] of Object.entries<string>(words)) field.append(element('option', { value }, word))
    field.value = settings[key]
    add(text, field, () => { settings[key] = field.value as Settings[K] })
  }
  const number = (text: string, key: 'scale' | 'turnSpeed', least: number, most: number, step: number): void => {
    const field = element('input', { type: 'number', min: String(least), max: String(most), step: String(step), value: String(settings[key]) })
    add(text, field, () => {
      const value = Number(field.value)
      if (value >= least && value <= most) settings[key] = value
      field.value = String(settings[key])
    })
  }
  const flag = (text: string, key: 'isAdaptive' | 'invertTurn' | 'showFigures' | 'showTags' | 'showSleep'): void => {
    const field = element('input', { type: 'checkbox' })
    field.checked = settings[key]
    add(text, field, () => { settings[key] = field.checked })
  }
  const name = element('input', { type: 'text', maxlength: '24', value: settings.name })
  add('name, from the next start on', name, () => { settings.name = name.value.trim() || settings.name })
  choice('colours', 'theme', { system: 'as the system', light: 'light', dark: 'dark' })
  choice('shadows', 'shadows', { off: 'off', hard: 'hard', soft: 'soft' })
  number('resolution, 0.5 to 2', 'scale', 0.5, 2, 0.25)
  flag('fewer pixels on slow devices', 'isAdaptive')
  number('turn speed, 0.1 to 5', 'turnSpeed', 0.1, 5, 0.1)
  flag('turn upside down', 'invertTurn')
  flag('figures', 'showFigures')
  flag('names of players', 'showTags')
  flag('paler sleeping bodies', 'showSleep')
  choice('touch stick', 'stick', { auto: 'on touch screens', on: 'always', off: 'never' })
  return form
}

import type { PlotOptions } from '@observablehq/plot';
import type { SelectableArea } from './chart.ts';

export const FONT_SIZE = 13;
/** Width of an average character, in px. */
export const CHARACTER_WIDTH = 7.2;
/** Height of a line of text, in px. */
export const LINE_HEIGHT = 17;
export const TONES = { good: 'var(--good)', warn: 'var(--warn)', bad: 'var(--bad)' } as const;
export const ACCENT = 'var(--accent)';
export const SOFT_COLOR = 'var(--ink-soft)';

/** Options of a plot whose size is known before it is drawn. */
export type SizedOptions = PlotOptions &
  Required<Pick<PlotOptions, 'width' | 'height'>> & { readonly areas?: readonly SelectableArea[] };

/** Makes the selectable areas of a drawing. */
export function toAreas<T extends Pick<SelectableArea, 'label'> & Partial<Pick<SelectableArea, 'answers'>>>(
  items: readonly T[],
  toRectangle: (item: T, index: number) => Pick<SelectableArea, 'x' | 'y' | 'width' | 'height'>,
): readonly SelectableArea[] {
  return items.flatMap((item, index) => {
    const { label, answers } = item;
    return answers === undefined ? [] : [{ label, answers, ...toRectangle(item, index) }];
  });
}

import { describe, expect, it } from 'vitest';
import { changeForm, type ImportForm } from './import-form.ts';
import { DEFAULT_SETTINGS } from './import-settings.ts';
import { isOfSameFile, toPlanKey } from './mapping.ts';

const SETTINGS = { ...DEFAULT_SETTINGS, columns: { When: 'submitted_at' }, dateFormat: 'DMY' };
const FORM: ImportForm = {
  target: 'responses',
  file: new File(['a,b'], 'a.csv', { lastModified: 1 }),
  surveyId: 's1',
  settings: SETTINGS,
  isFormatChosen: true,
};

describe('changeForm', () => {
  it('resets the columns for another file or target', () => {
    for (const change of [{ file: new File(['c'], 'c.csv') }, { target: 'survey' as const }]) {
      expect(changeForm(FORM, change, SETTINGS)).toEqual({
        ...FORM,
        ...change,
        settings: { ...SETTINGS, columns: {}, dateFormat: '' },
        isFormatChosen: false,
      });
    }
  });

  it('resets the targets of columns for another survey, because they are its questions', () => {
    expect(changeForm(FORM, { surveyId: 's2' }, SETTINGS)).toEqual({
      ...FORM,
      surveyId: 's2',
      settings: { ...SETTINGS, columns: {} },
    });
  });

  it('knows whether the user has chosen the format', () => {
    const form = { ...FORM, isFormatChosen: false };
    const shown = { ...SETTINGS, format: 'xlsx' as const };
    expect(changeForm(form, { settings: { ...shown, title: 'x' } }, shown).isFormatChosen).toBe(false);
    expect(changeForm(form, { settings: { ...shown, format: 'csv' } }, shown).isFormatChosen).toBe(true);
  });
});

describe('the key of a plan', () => {
  const changed = (change: Partial<ImportForm>) => toPlanKey({ ...FORM, ...change });
  const withLanguage = (target: ImportForm['target'], language: string) =>
    changed({ target, settings: { ...SETTINGS, language } });

  it('has the language of a new survey, without spaces', () => {
    expect(withLanguage('survey', 'de ')).toEqual(withLanguage('survey', 'de'));
    expect(withLanguage('survey', 'de')).not.toEqual(withLanguage('survey', 'fr'));
    expect(withLanguage('responses', 'de')).toEqual(withLanguage('responses', ''));
  });

  it('tells whether the columns and their possible targets are the same', () => {
    const key = toPlanKey(FORM);
    expect(isOfSameFile(changed({ settings: DEFAULT_SETTINGS }), key)).toBe(true);
    expect(isOfSameFile(changed({ surveyId: 's2' }), key)).toBe(false);
    expect(isOfSameFile(changed({ target: 'survey' }), key)).toBe(false);
    expect(isOfSameFile(changed({ file: new File(['a'], 'a.csv', { lastModified: 1 }) }), key)).toBe(false);
    expect(isOfSameFile(undefined, key)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { defaultSettings, resolveSettings } from './survey-settings.ts';

const definition = { title: 'Lunch', supported_languages: ['en', 'de', 'pt-BR'] };
const noon = new Date('2026-01-01T12:00:00.000Z');
const campaign = { name: 'campaign', type: 'string', max_length: 9, from: ['url'] } as const;
const later = new Date('2026-01-01T12:00:00.001Z');

describe('resolveSettings', () => {
  it.each([
    {},
    { opensAt: noon },
    { closesAt: noon },
    { opensAt: noon, closesAt: later },
    { languages: ['de'] },
    { languages: ['en', 'de'] },
    { metadataFields: [campaign, { ...campaign, name: 'vip' }] },
  ])('takes %j', (settings) => {
    const given = { ...defaultSettings, ...settings };
    expect(resolveSettings(given, definition)).toEqual(given);
  });

  it('takes the nearest declared languages', () => {
    const languages = ['pt_BR', 'DE', 'de-AT'];
    expect(resolveSettings({ ...defaultSettings, languages }, definition).languages).toEqual(['pt-BR', 'de']);
  });

  it.each([
    [{ opensAt: noon, closesAt: noon }, [['/settings/closes_at', 'BAD_RANGE']]],
    [{ opensAt: later, closesAt: noon }, [['/settings/closes_at', 'BAD_RANGE']]],
    [{ languages: ['de', 'fr'] }, [['/settings/languages/1', 'UNDECLARED_LANGUAGE']]],
    [{ metadataFields: [campaign, campaign] }, [['/settings/metadata_fields/1/name', 'DUPLICATE_ITEM']]],
    [
      { metadataFields: [{ ...campaign, type: 'date' as const }] },
      [['/settings/metadata_fields/0/max_length', 'INVALID']],
    ],
    [{ languages: ['german'] }, [['/settings/languages/0', 'UNDECLARED_LANGUAGE']]],
    [
      { opensAt: later, closesAt: noon, languages: ['x', 'y'] },
      [
        ['/settings/closes_at', 'BAD_RANGE'],
        ['/settings/languages/0', 'UNDECLARED_LANGUAGE'],
        ['/settings/languages/1', 'UNDECLARED_LANGUAGE'],
      ],
    ],
  ])('rejects %j with every problem', (settings, expected) => {
    const errors = expected.map(([path, code]) => expect.objectContaining({ path, code }));
    expect(() => resolveSettings({ ...defaultSettings, ...settings }, definition)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', errors }),
    );
  });
});

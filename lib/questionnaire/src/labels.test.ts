import { describe, expect, it } from 'vitest';
import { findLanguage, readLabels } from './labels.ts';
import { surveyOf } from './testing/survey-of.ts';

function labelsOf(question: object, supported_languages?: readonly string[], language?: string) {
  return readLabels(
    surveyOf([{ id: 'q', type: 'matrix', ...question }], supported_languages && { supported_languages }),
    language,
  );
}

describe('labels', () => {
  it('are the titles of questions and the texts of options, rows and columns', () => {
    const labels = labelsOf({
      title: 'How?',
      options: [{ id: 'a', text: 'Well' }, 'plain'],
      rows: [{ id: '__proto__', text: 'Food' }],
      columns: [{ id: 'a', text: 'Column' }],
    });
    expect(labels.question('q')).toBe('How?');
    expect(labels.item('q', { list: 'options', id: 'a' })).toBe('Well');
    expect(labels.item('q', { list: 'options', id: 'plain' })).toBe('plain');
    expect(labels.item('q', { list: 'rows', id: '__proto__' })).toBe('Food');
    expect(labels.item('q', { list: 'columns', id: 'a' })).toBe('Column');
  });

  it('are in the default language, else in the next available one', () => {
    const languages = ['de-AT', 'en'];
    expect(labelsOf({ title: { en: 'Hi', 'de-at': 'Servus' } }, languages).question('q')).toBe('Servus');
    expect(labelsOf({ title: { fr: 'Salut', en: 'Hi', 'de-AT': ' ' } }, languages).question('q')).toBe('Hi');
    expect(labelsOf({ title: { fr: 'Salut' } }, languages).question('q')).toBe('Salut');
  });

  it('are in the given language, else in the default one', () => {
    const titled = (language: string) =>
      labelsOf({ title: { en: 'Hi', 'de-at': 'Servus' } }, ['en', 'de-AT'], language).question('q');
    expect([titled('de-at'), titled('DE-AT'), titled('en'), titled('fr')]).toEqual(['Servus', 'Servus', 'Hi', 'Hi']);
  });

  it('are the titles of pages', () => {
    const pages = [{ title: { en: 'First' }, questions: [] }, { questions: [] }];
    expect(readLabels(surveyOf([], { pages })).pages).toEqual(['First', undefined]);
  });

  it.each([undefined, '', ' ', 7, null, {}, { en: 7 }])('are the ids where the text is %j', (text) => {
    const labels = labelsOf({ title: text, options: [{ id: 'a', text }] });
    expect([labels.question('q'), labels.item('q', { list: 'options', id: 'a' })]).toEqual(['q', 'a']);
  });

  it('are the ids of unknown questions and options', () => {
    const labels = readLabels(null);
    expect([labels.question('x'), labels.item('x', { list: 'rows', id: 'r' })]).toEqual(['x', 'r']);
  });
});

describe('findLanguage', () => {
  it.each([
    [['en', 'de'], ['de-AT'], 'de'],
    [['en', 'de-CH'], ['de-AT'], 'de-CH'],
    [['en', 'pt-BR'], ['pt_BR'], 'pt-BR'],
    [['en', 'pt-BR'], ['pt_BR.UTF-8'], 'pt-BR'],
    [['en', 'es-MX', 'es'], ['es-419'], 'es'],
    [['en', 'es-ES'], ['es-419'], 'es-ES'],
    [['en', 'de-AT'], ['de'], 'de-AT'],
    [['de', 'de-AT', 'de-AT-1996'], ['de-AT-1901'], 'de-AT'],
    [['zh-Hans', 'zh-Hant'], ['zh-TW'], 'zh-Hant'],
    [['zh-Hans'], ['zh-TW'], 'zh-Hans'],
    [['en', 'fr'], ['ja', 'fr-CA', 'en'], 'fr'],
    [['EN'], ['en'], 'EN'],
    [['en', 'de'], ['d', '', '-', '*'], undefined],
    [[], ['de'], undefined],
  ])('in %j finds for %j the nearest: %s', (declared, wanted, found) => {
    expect(findLanguage(declared, wanted)).toBe(found);
  });

  it('finds the texts of the nearest language', () => {
    const title = { en: 'Hello', de: 'Hallo', pt_BR: 'Olá' };
    const survey = {
      supported_languages: ['en', 'de', 'pt-BR'],
      pages: [{ questions: [{ id: 'a', type: 'text', title }] }],
    };
    const titleIn = (language: string) => readLabels({ survey }, language).question('a');
    expect(['de-AT', 'DE_ch', 'pt-PT', 'fr'].map(titleIn)).toEqual(['Hallo', 'Hallo', 'Olá', 'Hello']);
  });
});

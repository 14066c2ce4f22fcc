import { describe, expect, it } from 'vitest';
import { prefilledAnswers, takeParameters } from '../index.ts';
import type { JsonObject } from '../json.ts';

const options = [{ id: 'soup', text: { en: 'Soup', de: 'Suppe' } }, 'Fish, fried', { id: 'rice', text: 'Rice' }];
const none = { id: 'none', text: 'Nothing', exclusive: true };
const gone = { id: 'gone', text: 'Gone', inactive: true };
const rows = ['fast', { id: 'kind', text: 'Staff were kind' }, { id: '__proto__', text: 'Odd' }];

/** Answers from the parameters of an address to one question `q`. */
function prefill(question: JsonObject, query: string, survey: JsonObject = {}) {
  const definition = {
    supported_languages: ['en', 'de'],
    pages: [{ questions: [{ id: 'q', title: 't', ...question }] }],
    ...survey,
  };
  const taken = takeParameters(`https://surveys.example.com/s/lunch#${query}`);
  return prefilledAnswers(definition, taken.prefill, 'de');
}

describe('an answer from an address', () => {
  const single = { type: 'single_choice', options: [...options, gone] };
  const multiple = { type: 'multiple_choice', options: [...options, none, gone] };
  const own = { allow_other: true };
  const likert = { type: 'likert', options: ['yes', 'no'] };
  const matrix = { type: 'matrix', rows, columns: options };

  it.each<[string, JsonObject, string, unknown]>([
    ['an id', single, 'a.q=soup', 'soup'],
    ['a text in any language', single, 'a.q=Suppe', 'soup'],
    ['a text with a comma', single, 'a.q=Fish,+fried', 'Fish, fried'],
    ['the first of several values', single, 'a.q=rice&a.q=soup', 'rice'],
    ['an own text', { ...single, ...own }, 'a.q.other=Bread', { option: 'other', text: 'Bread' }],
    ['other with its text', { ...single, ...own }, 'a.q=other&a.q.other=Bread', { option: 'other', text: 'Bread' }],
    ['an option beside an own text', { ...single, ...own }, 'a.q=rice&a.q.other=Bread', 'rice'],
    ['a list', multiple, 'a.q=rice,soup', ['soup', 'rice']],
    ['a list of texts', multiple, 'a.q=Rice,+Suppe', ['soup', 'rice']],
    ['several values', multiple, 'a.q=rice&a.q=Fish,+fried&a.q=soup', ['soup', 'Fish, fried', 'rice']],
    ['the same option twice', multiple, 'a.q=rice,rice', ['rice']],
    ['the offered options', multiple, 'a.q=rice,bread,gone,', ['rice']],
    ['enough options', { ...multiple, min_selections: 2 }, 'a.q=rice,soup', ['soup', 'rice']],
    [
      'options and an own text',
      { ...multiple, ...own },
      'a.q=rice&a.q.other=Bread',
      { options: ['rice'], other: 'Bread' },
    ],
    ['only an own text', { ...multiple, ...own }, 'a.q=other&a.q.other=Bread', { options: [], other: 'Bread' }],
    ['a number', { type: 'rating', max: 10 }, 'a.q=9', 9],
    ['a number with a comma', { type: 'rating', step: 0.5 }, 'a.q=3,5', 3.5],
    ['a text', { type: 'text' }, 'a.q=+Caf%C3%A9+', 'Café'],
    ['a number as a text', { type: 'text', format: 'number' }, 'a.q=36,6', '36.6'],
    ['lines', { type: 'textarea' }, 'a.q=One%0ATwo', 'One\nTwo'],
    ['a date', { type: 'date' }, 'a.q=2026-02-28', '2026-02-28'],
    ['a time', { type: 'time' }, 'a.q=12:05', '12:05'],
    ['a step of a scale', likert, 'a.q=yes', 'yes'],
    ['rows', { ...likert, rows }, 'a.q.fast=no&a.q.Staff+were+kind=yes', { fast: 'no', kind: 'yes' }],
    ['only the right rows', { ...likert, rows }, 'a.q.fast=no&a.q.kind=maybe&a.q.slow=no&a.q=yes', { fast: 'no' }],
    ['columns', matrix, 'a.q.kind=Suppe', { kind: 'soup' }],
    ['several columns', { ...matrix, multiple: true }, 'a.q.fast=rice,soup', { fast: ['soup', 'rice'] }],
    ['a row with an odd name', matrix, 'a.q.__proto__=soup', JSON.parse('{"__proto__": "soup"}')],
  ])('can be %s', (_case, question, query, answer) => {
    expect(prefill(question, query)).toStrictEqual({ q: answer });
  });

  it.each<[string, JsonObject, string]>([
    ['an unknown option', single, 'a.q=bread'],
    ['an option that is no longer offered', single, 'a.q=gone'],
    [
      'an ambiguous text',
      {
        ...single,
        options: [
          { id: 'a', text: 'Same' },
          { id: 'b', text: 'Same' },
        ],
      },
      'a.q=Same',
    ],
    ['other without a text', { ...single, ...own }, 'a.q=other'],
    ['an own text that is not allowed', single, 'a.q.other=Bread'],
    ['no option of a list', multiple, 'a.q=bread,gone'],
    ['an exclusive option with another', multiple, 'a.q=none,rice'],
    ['too few options', { ...multiple, min_selections: 2 }, 'a.q=rice'],
    ['a number beyond the scale', { type: 'rating' }, 'a.q=9'],
    ['a word instead of a number', { type: 'rating' }, 'a.q=good'],
    ['a text that is too long', { type: 'text', max_length: 3 }, 'a.q=long'],
    ['a text of another pattern', { type: 'text', pattern: '[0-9]+' }, 'a.q=long'],
    ['lines instead of one', { type: 'text' }, 'a.q=One%0ATwo'],
    ['a day that does not exist', { type: 'date' }, 'a.q=2026-02-30'],
    ['a time that does not exist', { type: 'time' }, 'a.q=25:00'],
    ['a row of a question without rows', likert, 'a.q.fast=yes'],
    ['a file', { type: 'file_upload' }, 'a.q=f1&a.q.file_id=f1'],
    ['nothing', { type: 'text' }, 'a.q=&a.q=+'],
    ['for another question', { type: 'text' }, 'a.other=x&a.=x&a.q.x=y&a..q=x&q=x'],
  ])('is not %s', (_case, question, query) => {
    expect(prefill(question, query)).toEqual({});
  });

  it('belongs to the question with the longest id', () => {
    const questions = [
      { id: 'q', title: 't', type: 'likert', options: ['yes', 'no'], rows: ['1', '1.a'] },
      { id: 'q.1', title: 't', type: 'text' },
      { id: '__proto__', title: 't', type: 'text' },
    ];
    const pages = [{ questions }];
    expect(prefill({}, 'a.q.1=yes&a.q.1.a=no&a.q.2=no', { pages })).toEqual({ 'q.1': 'yes' });
    expect(prefill({}, 'a.__proto__=x', { pages })).toStrictEqual(JSON.parse('{"__proto__": "x"}'));
  });

  it('can belong to a hidden question', () => {
    const logic = [
      { question_id: 'q', conditions: [{ source_question: 'other', operator: 'equals', value: 'x', action: 'show' }] },
    ];
    const questions = ['other', 'q'].map((id) => ({ id, title: 't', type: 'text' }));
    expect(prefill({}, 'a.q=x', { pages: [{ questions }], logic })).toEqual({ q: 'x' });
  });
});

describe('parameters', () => {
  const take = (address: string) => takeParameters(`https://surveys.example.com/s/lunch${address}`);

  it('are taken from the fragment first, then from the query', () => {
    expect(take('?lang=de&a.q=1&m.x=2&a.q=3&m.z=+&m.y=4#other&a.q=4&a.q=5&%6d.y=a%2Bb+c&m.y=d')).toEqual({
      address: 'https://surveys.example.com/s/lunch?lang=de#other',
      metadata: { x: '2', y: 'a+b c' },
      prefill: [
        ['q', '4'],
        ['q', '5'],
      ],
    });
    expect(take('#m.__proto__=x').metadata).toStrictEqual(JSON.parse('{"__proto__": "x"}'));
  });

  it('stay in the address if they are others', () => {
    const rest = '?lang=de&b=%20+&&x&m.#a=1&token=%&a.';
    expect(take(rest)).toEqual({ address: `https://surveys.example.com/s/lunch${rest}`, metadata: {}, prefill: [] });
  });

  it('are limited, and removed nevertheless', () => {
    const many = Array.from({ length: 600 }, (_, index) => `a.q${index}=x`).join('&');
    const { prefill: some, metadata, address } = take(`?m.x=1#${many}`);
    expect([some.length, metadata, address]).toEqual([500, {}, 'https://surveys.example.com/s/lunch']);
    const long = 'x'.repeat(60_000);
    expect(take(`#a.a=${long}&a.b=${long}&a.${'n'.repeat(1_000)}=x&a.c=x`).prefill).toEqual([
      ['a', long],
      ['c', 'x'],
    ]);
  });
});

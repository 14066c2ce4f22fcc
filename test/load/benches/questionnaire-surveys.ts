interface Size {
  readonly questions: number;
  readonly rules: number;
}

type JsonObject = { readonly [key: string]: unknown };

interface Sample {
  readonly definition: JsonObject;
  /** Answers to all visible questions. */
  readonly response: JsonObject;
}

const PAGE = 10;
const scale = ['never', 'sometimes', 'often', 'always'].map((id) => ({ id, text: { en: id, de: `${id} (de)` } }));
const list = Array.from({ length: 8 }, (_, index) => ({ id: `o${index}`, text: `Option ${index}` }));

/** Every question type, the most common ones twice, with an answer and a condition that this answer fulfils. */
const KINDS: readonly (readonly [members: JsonObject, answer: unknown, condition: JsonObject])[] = [
  [{ type: 'single_choice', options: list }, 'o3', { operator: 'equals', value: 'o3' }],
  [
    { type: 'multiple_choice', options: list, allow_other: true, max_selections: 4 },
    { options: ['o1', 'o5'], other: 'of my own' },
    { operator: 'contains', value: 'Option 5' },
  ],
  [{ type: 'text', format: 'email' }, 'someone@example.org', { operator: 'contains', value: '@EXAMPLE' }],
  [{ type: 'text', pattern: '^[A-Z]{2}[0-9]{4}$' }, 'AB1234', { operator: 'matches', value: '^AB' }],
  [{ type: 'textarea' }, 'It was good. '.repeat(20), { operator: 'contains', value: 'GOOD' }],
  [{ type: 'rating', min: 0, max: 10 }, 7, { operator: 'greater_than', value: 6 }],
  [{ type: 'likert', options: scale }, 'often', { operator: 'in', value: ['often', 'always'] }],
  [{ type: 'date', min: '2020-01-01' }, '2024-02-29', { operator: 'less_than', value: '2025-01-01' }],
  [{ type: 'single_choice', options: ['yes', 'no'] }, 'no', { operator: 'not_equals', value: 'yes' }],
  [{ type: 'time' }, '09:30', { operator: 'not_equals', value: '10:00' }],
  [
    { type: 'matrix', rows: scale, columns: scale },
    Object.fromEntries(scale.map(({ id }) => [id, 'often'])),
    { operator: 'is_answered' },
  ],
  [{ type: 'file_upload' }, [{ file_id: 'f1' }, { file_id: 'f2' }], { operator: 'is_answered' }],
];

const kindOf = (index: number) => KINDS[index % KINDS.length] ?? [{}, undefined, {}];

/** A valid survey with all types and rules, and complete answers. */
export function surveyOf({ questions, rules }: Size): Sample {
  const all = Array.from({ length: questions }, (_, index) => {
    const [members] = kindOf(index);
    return {
      id: `q${index}`,
      title: { en: `Question ${index}`, de: `Frage ${index}` },
      required: index % PAGE < 2,
      ...members,
    };
  });
  const logic = Array.from({ length: rules }, (_, index) => {
    // Every second question depends on the previous two. Hide rules have false conditions.
    const target = Math.floor(((index + 1) * (questions - 4)) / rules) + 2;
    const hide = index % 4 === 3;
    const conditions = [target - 1, target - 2].map((source) => ({
      source_question: `q${source}`,
      ...(hide ? { operator: 'is_not_answered' } : kindOf(source)[2]),
    }));
    return { question_id: `q${target}`, action: hide ? 'hide' : index % 4 === 2 ? 'require' : 'show', conditions };
  });
  const pages = Array.from({ length: Math.ceil(questions / PAGE) }, (_, index) => ({
    title: `Page ${index}`,
    questions: all.slice(index * PAGE, (index + 1) * PAGE),
  }));
  return {
    definition: {
      schema_version: '1.0',
      version: 1,
      survey: { title: 'Benchmark', supported_languages: ['en', 'de'], pages, logic },
    },
    response: Object.fromEntries(all.map(({ id }, index) => [id, kindOf(index)[1]])),
  };
}

/** A pattern at the limit of steps, and a text that needs all of them. */
export function hostileMatching(): Sample {
  const questions = [
    { id: 'text', type: 'textarea', title: 'Text' },
    { id: 'target', type: 'text', title: 'Target' },
  ];
  const condition = { source_question: 'text', operator: 'matches', value: 'a[ab]{143}[cd]' };
  const logic = [{ question_id: 'target', conditions: [{ ...condition, action: 'show' }] }];
  let seed = 1;
  const letters = Array.from({ length: 20_000 }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 2 === 0 ? 'a' : 'b';
  });
  return {
    definition: {
      schema_version: '1.0',
      version: 1,
      survey: { title: 'Hostile', supported_languages: ['en'], pages: [{ questions }], logic },
    },
    response: { text: letters.join('') },
  };
}

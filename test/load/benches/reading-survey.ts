type JsonObject = { readonly [key: string]: unknown };

const QUESTIONS = 30;
/** Number of different answers, which is enough. */
const ANSWERS = 1_000;

const options = Array.from({ length: 6 }, (_, index) => `option ${index}`);
const scale = ['never', 'sometimes', 'often', 'always'];
const rows = ['morning', 'noon', 'evening'];

/** A question of each kind, with the answer of respondent `n`. */
const KINDS: readonly (readonly [members: JsonObject, answer: (n: number) => unknown])[] = [
  [{ type: 'single_choice', options }, (n) => options[n % 6]],
  [{ type: 'rating', min: 0, max: 10 }, (n) => n % 11],
  [{ type: 'multiple_choice', options }, (n) => options.filter((_, index) => (n >> index) % 2 === 0)],
  [{ type: 'likert', options: scale }, (n) => scale[n % 4]],
  [{ type: 'text', format: 'integer' }, (n) => String(18 + (n % 70))],
  [{ type: 'textarea' }, (n) => `Number ${n} says that it was good. `.repeat(1 + (n % 4))],
  [
    { type: 'matrix', rows, columns: scale },
    (n) => Object.fromEntries(rows.map((row, m) => [row, scale[(n + m) % 4]])),
  ],
  [{ type: 'text' }, (n) => `Zoë ${n}, Zürich`],
  [{ type: 'date' }, (n) => `20${10 + (n % 15)}-0${1 + (n % 9)}-1${n % 10}`],
  [{ type: 'single_choice', options: ['yes', 'no'] }, (n) => (n % 3 === 0 ? 'no' : 'yes')],
];

const kindOf = (index: number) => KINDS[index % KINDS.length] ?? [{ type: 'text' }, () => 'x'];

/** A survey of 30 questions, three of each kind, and its answers, a tenth of which are missing. */
export function readingSurvey() {
  const questions = Array.from({ length: QUESTIONS }, (_, index) => ({
    id: `q${index}`,
    title: `Question ${index}`,
    ...kindOf(index)[0],
  }));
  const answersOf = (n: number) =>
    Object.fromEntries(
      questions.flatMap(({ id }, index) => {
        const answer = (n + index) % 10 === 0 ? undefined : kindOf(index)[1](n + index);
        return answer === undefined || (Array.isArray(answer) && answer.length === 0) ? [] : [[id, answer]];
      }),
    );
  return {
    survey: {
      schema_version: '1.0',
      version: 1,
      survey: { title: 'Reading', supported_languages: ['en', 'de'], pages: [{ questions }] },
    },
    answers: Array.from({ length: ANSWERS }, (_, n) => answersOf(n)),
  };
}

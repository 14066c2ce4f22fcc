import fc from 'fast-check';
import { ConditionsParser, SurveyModel } from 'survey-core';
import { describe, expect, inject, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import { plainAnswers, plainSurvey } from '../testing/oracle/plain-survey.ts';
import { toData, toDefinition } from '../testing/oracle/to-definition.ts';
import { evaluate, toModel, withMatches } from '../testing/oracle/to-survey-core.ts';
import { rule, surveyOf, textQuestion } from '../testing/survey-of.ts';

const SURVEYS = inject('testScope') === 'all' ? 600 : 60;
const RESPONSES = 5;

describe('compared with survey-core', () => {
  it('has the same visible, missing and disqualified questions for any survey and answers', {
    timeout: 240_000,
  }, () => {
    const seen = { hidden: 0, missing: 0, disqualified: 0 };
    const property = fc.property(
      plainSurvey,
      fc.array(plainAnswers, { minLength: RESPONSES, maxLength: RESPONSES }),
      (survey, responses) => {
        const { lint, validate } = compile(toDefinition(survey));
        expect(lint.errors).toEqual([]);
        const model = toModel(survey);
        for (const answers of responses) {
          const { data, errors, disqualified } = validate(toData(survey, answers));
          const answered = Object.keys(data);
          const missing = errors.map(({ code, question_id }) => (code === 'REQUIRED' ? question_id : code));
          const theirs = evaluate(survey, model, answers);
          // survey-core has no such rule and reports missing answers anyway.
          const asked = theirs.disqualified ? [] : theirs.missing;
          expect({ answered, missing, disqualified }).toEqual({ ...theirs, missing: asked });
          seen.hidden += answers.size - answered.length;
          seen.missing += missing.length;
          seen.disqualified += Number(disqualified);
        }
      },
    );
    withMatches(() => fc.assert(property, { numRuns: SURVEYS, seed: 20_240_229 }));
    // Make sure that the surveys exercise all outcomes.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(SURVEYS / 4);
  });
});

/** One condition on one answer, with our result and the result of survey-core. */
interface Difference {
  readonly why: string;
  readonly source: JsonObject;
  readonly condition: readonly [operator: string, value: unknown];
  readonly answer: unknown;
  readonly ours: boolean;
  /** The source question in survey-core; a text by default. */
  readonly element?: JsonObject;
  readonly expression: string;
  readonly theirs: boolean;
}

/** Known differences to survey-core, which generated surveys avoid. */
const DIFFERENCES: readonly Difference[] = [
  {
    why: 'equals on texts is exact with us; survey-core ignores case everywhere unless set otherwise',
    source: { type: 'text' },
    condition: ['equals', 'yes'],
    answer: 'Yes',
    ours: false,
    expression: "{s} = 'yes'",
    theirs: true,
  },
  {
    why: 'we compare texts as texts; survey-core compares numeric texts as numbers',
    source: { type: 'text' },
    condition: ['equals', '1'],
    answer: '1.0',
    ours: false,
    expression: "{s} = '1'",
    theirs: true,
  },
  {
    why: 'equals with one option asks a multiple choice for that alone with us; survey-core tells it from a list of one',
    source: { type: 'multiple_choice', options: ['a', 'b'] },
    condition: ['equals', 'a'],
    answer: ['a'],
    ours: true,
    element: { type: 'checkbox', choices: ['a', 'b'] },
    expression: "{s} = 'a'",
    theirs: false,
  },
  {
    why: 'times are compared to the second with us; to survey-core they are texts',
    source: { type: 'time' },
    condition: ['equals', '09:30'],
    answer: '09:30:00',
    ours: true,
    expression: "{s} = '09:30'",
    theirs: false,
  },
  {
    why: 'texts are compared in NFC with us; survey-core compares code units',
    source: { type: 'text' },
    condition: ['equals', 'é'],
    answer: 'e\u0301',
    ours: true,
    expression: "{s} = 'é'",
    theirs: false,
  },
  {
    why: 'contains folds case with us; survey-core lowers it, which keeps ß and SS apart',
    source: { type: 'text' },
    condition: ['contains', 'STRASSE'],
    answer: 'Hauptstraße',
    ours: true,
    expression: "{s} contains 'STRASSE'",
    theirs: false,
  },
  {
    why: 'we treat invalid answers as unanswered; survey-core uses any value',
    source: { type: 'single_choice', options: ['a'] },
    condition: ['is_answered', undefined],
    answer: 'nonsense',
    ours: false,
    expression: '{s} notempty',
    theirs: true,
  },
];

function visibleWithUs(data: JsonObject, questions: readonly JsonObject[], ...logic: readonly JsonObject[]) {
  return Object.keys(compile(surveyOf(questions, { logic })).validate(data).data);
}

function visibleThere(data: JsonObject, elements: readonly JsonObject[]) {
  const model = new SurveyModel({ elements });
  model.data = data;
  return model
    .getAllQuestions()
    .filter((question) => question.isVisible)
    .map(({ name }) => name);
}

describe('known differences to survey-core', () => {
  it.each(DIFFERENCES)('$why', (difference) => {
    const { source, answer, ours, element, expression, theirs } = difference;
    const [operator, value] = difference.condition;
    const questions = [{ id: 's', ...source }, textQuestion('t')];
    const logic = rule('t', 'show', 's', operator, value);
    expect(visibleWithUs({ s: answer, t: 'x' }, questions, logic).includes('t')).toBe(ours);
    const elements = [
      { type: 'text', name: 's', ...element },
      { type: 'text', name: 't', visibleIf: expression },
    ];
    expect(visibleThere({ s: answer, t: 'x' }, elements).includes('t')).toBe(theirs);
  });

  it('we treat a hidden source as unanswered; survey-core uses its answer until the survey is completed', () => {
    const data = { a: 'no', b: 'x', c: 'x' };
    const logic = [rule('b', 'show', 'a', 'equals', 'yes'), rule('c', 'show', 'b', 'is_answered')];
    expect(
      visibleWithUs(
        data,
        ['a', 'b', 'c'].map((id) => textQuestion(id)),
        ...logic,
      ),
    ).toEqual(['a']);
    const elements = [
      { type: 'text', name: 'a' },
      { type: 'text', name: 'b', visibleIf: "{a} = 'yes'" },
      { type: 'text', name: 'c', visibleIf: '{b} notempty' },
    ];
    expect(visibleThere(data, elements)).toEqual(['a', 'c']);
  });

  it('our require rules add to required; in survey-core requiredIf replaces it', () => {
    const questions = [textQuestion('s'), textQuestion('t', { required: true })];
    const logic = [rule('t', 'require', 's', 'equals', 'yes')];
    expect(compile(surveyOf(questions, { logic })).validate({ s: 'no' }).errors).toMatchObject([{ code: 'REQUIRED' }]);
    const elements = [
      { type: 'text', name: 's' },
      { type: 'text', name: 't', isRequired: true, requiredIf: "{s} = 'yes'" },
    ];
    const model = new SurveyModel({ elements });
    model.data = { s: 'no' };
    expect(model.getQuestionByName('t').isRequired).toBe(false);
  });

  it('we report a question that depends on itself and ignore the rule; survey-core evaluates it', () => {
    const logic = [rule('t', 'hide', 't', 'is_answered')];
    expect(compile(surveyOf([textQuestion('t')], { logic })).lint.errors).toMatchObject([{ code: 'LOGIC_CYCLE' }]);
    expect(visibleWithUs({ t: 'x' }, [textQuestion('t')], ...logic)).toEqual(['t']);
    expect(visibleThere({ t: 'x' }, [{ type: 'text', name: 't', visibleIf: '{t} empty' }])).toEqual([]);
  });

  it('we require every row of a required matrix; survey-core requires one', () => {
    const matrix = { id: 'm', type: 'matrix', rows: ['r', 's'], columns: ['c'], required: true };
    const { errors } = compile(surveyOf([matrix])).validate({ m: { r: 'c' } });
    expect(errors).toMatchObject([{ code: 'REQUIRED', question_id: 'm' }]);
    const element = { type: 'matrix', name: 'm', rows: ['r', 's'], columns: ['c'], isRequired: true };
    const model = new SurveyModel({ elements: [element] });
    model.data = { m: { r: 'c' } };
    expect(model.getQuestionByName('m').isEmpty()).toBe(false);
  });

  it('our ids can have dots; in expressions of survey-core a dot accesses a member', () => {
    const questions = [textQuestion('a.b'), textQuestion('t')];
    const data = { 'a.b': 'x', a: { b: 'y' }, t: 'x' };
    const { 'a.b': dotted, t } = data;
    expect(visibleWithUs({ 'a.b': dotted, t }, questions, rule('t', 'show', 'a.b', 'equals', 'y'))).toEqual(['a.b']);
    const elements = [
      { type: 'text', name: 'a' },
      { type: 'text', name: 't', visibleIf: "{a.b} = 'y'" },
    ];
    expect(visibleThere({ a: data.a, t }, elements)).toEqual(['a', 't']);
  });

  it('we ignore invalid entries; survey-core treats an unknown source as unanswered', () => {
    const logic = [rule('t', 'show', 'nope', 'is_answered')];
    expect(visibleWithUs({ t: 'x' }, [textQuestion('t')], ...logic)).toEqual(['t']);
    expect(visibleThere({ t: 'x' }, [{ type: 'text', name: 't', visibleIf: '{nope} notempty' }])).toEqual([]);
  });

  it('we have the operator matches; survey-core needs a custom function', () => {
    expect(new ConditionsParser().createCondition("{s} matches '^a'")).toBeUndefined();
  });
});

import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { fixture, readSurveyFile } from '../testing/read-files.ts';
import { qsf } from '../testing/write-qsf.ts';
import { readQualtricsSurvey } from './survey.ts';

const read = (name: string) => readSurveyFile(readQualtricsSurvey, fixture(import.meta.url, name));
const readJson = (value: unknown) => readSurveyFile(readQualtricsSurvey, JSON.stringify(value));

describe('logic of Qualtrics', async () => {
  const { definition, questions, problems, warnings } = await read('logic.qsf');
  const shown = (answers: JsonObject) => {
    const all = Object.fromEntries([...questions.keys()].map((id) => [id, answers[id] ?? filler(id)]));
    return Object.keys(definition.validate(all, { partial: true }).data);
  };
  const filler = (id: string) => {
    const { type } = questions.get(id) ?? {};
    return type === 'likert' ? { 1: '1' } : type === 'text' ? '1' : undefined;
  };

  it('passes lint', () => {
    expect(problems).toEqual([]);
  });

  it('converts display logic: And before Or, and sets of conditions', () => {
    expect(shown({ QID1: '2', QID2: ['1'] })).not.toContain('QID2');
    expect(shown({ QID1: '1', QID2: ['1', '3'] })).toContain('QID4');
    expect(shown({ QID1: '1', QID2: ['2', '3'] })).not.toContain('QID4');
    expect(shown({ QID1: '1', QID2: ['2'] })).toContain('QID4');
    expect(shown({ QID1: '1', QID3: '11' })).toContain('QID5');
    expect(shown({ QID1: '1', QID3: '10' })).not.toContain('QID5');
    expect(shown({ QID1: '2', QID3: '11' })).not.toContain('QID5');
  });

  it('hides exactly the skipped questions', () => {
    expect(shown({ QID7: '2' })).not.toContain('QID8');
    expect(shown({ QID7: '2' })).toContain('QID9');
    expect(shown({ QID7: '1' })).toContain('QID8');
  });

  it('converts branches and ends of the flow', () => {
    expect(shown({ QID1: '1' })).toContain('QID10');
    expect(shown({ QID1: '2' })).not.toContain('QID10');
    expect(shown({ QID7: '2' })).not.toContain('QID11');
    expect(shown({ QID7: '1' })).toContain('QID11');
  });

  it('is kept with a warning if it is not supported, and its question is optional', () => {
    const unsupported = warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED');
    expect(unsupported.map(({ path, detail }) => `${path} ${detail}`)).toEqual([
      expect.stringMatching(/^\/SurveyElements\/7\/Payload\/DisplayLogic .*DeviceType/),
      expect.stringMatching(/^\/SurveyElements\/14\/Payload\/DisplayLogic .*QID12\/1\/2/),
      expect.stringMatching(/SkipLogic\/0 it does not lead to a later question$/),
    ]);
    expect(questions.get('QID6')).toMatchObject({
      required: false,
      source_data: { logic: [{ Type: 'BooleanExpression' }] },
    });
  });

  it.each([
    ['is taken without an answer too', {}, [{ Condition: 'NotSelected' }], ['/0']],
    [
      'is taken without an answer too, but where there must be one',
      { Validation: { Settings: { ForceResponse: 'ON' } } },
      [{ Condition: 'NotSelected' }],
      [],
    ],
    ['comes behind one that is lost', {}, [{ Condition: 'Is' }, {}], ['/0', '/1']],
    ['comes behind twenty others', {}, Array.from({ length: 22 }, () => ({})), ['/20', '/21']],
    ['leaves a question that became several', { QuestionType: 'TE', Selector: 'FORM' }, [{}], ['/0']],
  ])('is not converted for a skip that %s', async (_case, question, skips, unsupported) => {
    const choices = { QuestionType: 'MC', Selector: 'SAVR', Choices: { 1: { Display: 'a' }, 2: { Display: 'b' } } };
    const SkipLogic = skips.map((skip) => ({
      ChoiceLocator: 'q://QID1/SelectableChoice/1',
      Condition: 'Selected',
      SkipToDestination: 'ENDOFSURVEY',
      ...skip,
    }));
    const elements = [
      { Type: 'Question', QuestionID: 'QID1', SkipLogic },
      { Type: 'Question', QuestionID: 'QID2' },
    ];
    const result = await readJson(
      qsf([{ ...choices, ...question }, {}], { blocks: [{ ID: 'BL_1', BlockElements: elements }] }),
    );
    const reported = result.warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED').map(({ path }) => path);
    expect(result.problems).toEqual([]);
    expect(reported).toEqual(
      unsupported.map((location) => `/SurveyElements/0/Payload/0/BlockElements/0/SkipLogic${location}`),
    );
  });

  it('is not converted for later or missing questions, with the reason', async () => {
    const looksAt = (id: string) => ({
      0: {
        0: { LogicType: 'Question', ChoiceLocator: `q://${id}/SelectableChoice/1`, Operator: 'Selected' },
        Type: 'If',
      },
    });
    const choices = { QuestionType: 'MC', Selector: 'SAVR', Choices: { 1: { Display: 'a' } } };
    const blocks = [
      {
        ID: 'BL_1',
        BlockElements: [
          { Type: 'Question', QuestionID: 'QID1' },
          { Type: 'Page Break' },
          { Type: 'Question', QuestionID: 'QID2' },
          { Type: 'Question', QuestionID: 'QID3' },
        ],
      },
    ];
    const file = qsf([{ DisplayLogic: looksAt('QID2') }, choices, { DisplayLogic: looksAt('QID9') }], { blocks });
    const result = await readJson(file);
    expect(result.problems).toEqual([]);
    expect(result.warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'LOGIC_NOT_CONVERTED /SurveyElements/3/Payload/DisplayLogic',
      'LOGIC_NOT_CONVERTED /SurveyElements/1/Payload/DisplayLogic',
    ]);
  });
});

describe('a Qualtrics question that some respondents do not get', () => {
  const choices = { QuestionType: 'MC', Selector: 'SAVR', Choices: { 1: { Display: 'a' }, 2: { Display: 'b' } } };
  const forced = { Validation: { Settings: { ForceResponse: 'ON' } } };
  const block = (number: number, Options?: object) => ({
    ID: `BL_${number}`,
    BlockElements: [{ Type: 'Question', QuestionID: `QID${number}` }],
    ...(Options === undefined ? {} : { Options }),
  });
  const blocks = [1, 2, 3].map((number) => block(number));
  const flow = (...elements: readonly object[]) => ({ elements: [{ Element: 'FL', Payload: { Flow: elements } }] });
  const inBlock = (number: number) => ({ Type: 'Block', ID: `BL_${number}` });
  const randomizer = (SubSet: number) => ({ Type: 'BlockRandomizer', SubSet, Flow: [inBlock(2), inBlock(3)] });

  it('is not required: random blocks', async () => {
    const questions = [forced, forced, forced];
    const some = await readJson(qsf(questions, { blocks, ...flow(inBlock(1), randomizer(1)) }));
    expect([...some.questions.values()].map(({ required }) => required)).toEqual([true, false, false]);
    expect(some.questions.get('QID2')).toMatchObject({ source_data: { required: true } });
    expect(some.warnings).toContainEqual({
      path: '/SurveyElements/2/Payload',
      code: 'KEPT_AS_SOURCE_DATA',
      detail: 'QID2: The question is not required, because some respondents do not get it',
    });
    const all = await readJson(qsf(questions, { blocks, ...flow(inBlock(1), randomizer(2)) }));
    expect([...all.questions.values()].map(({ required }) => required)).toEqual([true, true, true]);
  });

  it.each([
    ['a number of them', { TotalRandSubset: '1' }, false],
    ['those that are not left out', { Advanced: { Undisplayed: ['QID1'] } }, false],
    ['all of them', { Advanced: null, TotalRandSubset: '' }, true],
  ])('is not required: questions of a block that shows %s', async (_case, Randomization, required) => {
    const options = { RandomizeQuestions: 'Advanced', Randomization };
    const { questions, survey, warnings } = await readJson(qsf([forced], { blocks: [block(1, options)] }));
    expect(questions.get('QID1')).toMatchObject({ required });
    expect(survey['sections']).toMatchObject([{ source_data: options }]);
    expect(warnings).toContainEqual(
      expect.objectContaining({ path: '/SurveyElements/0/Payload/0/Options', code: 'KEPT_AS_SOURCE_DATA' }),
    );
  });

  it.each([
    ['logic', { Choices: { 1: { Display: 'a', DisplayLogic: { 0: {} } } } }],
    ['a random subset', { Choices: { 1: { Display: 'a' } }, Randomization: { TotalRandSubset: 1 } }],
    ['choices of another question', { Choices: { 1: { Display: 'a' } }, DynamicChoices: { Locator: 'q://QID9' } }],
  ])('is not required: rows with %s', async (_case, members) => {
    const matrix = { QuestionType: 'Matrix', Selector: 'Likert', Answers: { 1: { Display: 'x' } }, ...forced };
    const { questions } = await readJson(qsf([{ ...matrix, ...members }]));
    expect(questions.get('QID1')).toMatchObject({ required: false, source_data: { required: true } });
  });

  it('is not required: a file', async () => {
    const { questions } = await readJson(qsf([{ QuestionType: 'FileUpload', Selector: 'FileUpload', ...forced }]));
    expect(questions.get('QID1')).not.toHaveProperty('required');
    expect(questions.get('QID1')).toMatchObject({ source_data: { required: true } });
  });

  it('is shown in each place that its block has in the flow', async () => {
    const branch = (choice: string, ...Flow: object[]) => ({
      Type: 'Branch',
      BranchLogic: {
        0: {
          0: { LogicType: 'Question', ChoiceLocator: `q://QID1/SelectableChoice/${choice}`, Operator: 'Selected' },
          Type: 'If',
        },
      },
      Flow,
    });
    const three = { ...choices, Choices: { ...choices.Choices, 3: { Display: 'c' } } };
    const shownWith = async (choice: string, ...elements: readonly object[]) => {
      const { definition, warnings } = await readJson(
        qsf([three, {}, {}], { blocks, ...flow(inBlock(1), ...elements) }),
      );
      expect(warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED')).toEqual([]);
      const answers = { QID1: choice, QID2: 'x', QID3: 'x' };
      return Object.keys(definition.validate(answers, { partial: true }).data);
    };
    const twice = [branch('1', inBlock(2)), branch('2', inBlock(3), inBlock(2))];
    expect(await shownWith('1', ...twice)).toEqual(['QID1', 'QID2']);
    expect(await shownWith('2', ...twice)).toEqual(['QID1', 'QID2', 'QID3']);
    expect(await shownWith('3', ...twice)).toEqual(['QID1']);
    expect(await shownWith('3', branch('1', inBlock(2)), inBlock(2))).toEqual(['QID1', 'QID2']);
  });

  it('can come after a random block that skips to the end', async () => {
    const skip = {
      ChoiceLocator: 'q://QID3/SelectableChoice/1',
      Condition: 'Selected',
      SkipToDestination: 'ENDOFSURVEY',
    };
    const last = { ...block(3), BlockElements: [{ Type: 'Question', QuestionID: 'QID3', SkipLogic: [skip] }] };
    const { warnings, questions } = await readJson(
      qsf([forced, forced, { ...choices, ...forced }], {
        blocks: [block(1), block(2), last],
        ...flow(inBlock(1), randomizer(2)),
      }),
    );
    expect(warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED')).toHaveLength(1);
    expect(questions.get('QID2')).toMatchObject({ required: false });
  });

  it('has no skips if blocks or questions are in random order', async () => {
    const skip = (SkipToDestination: string) => ({
      ChoiceLocator: 'q://QID2/SelectableChoice/1',
      Condition: 'Selected',
      SkipToDestination,
    });
    const withSkip = (to: string, Options: object = {}) => ({
      ID: 'BL_2',
      Options,
      BlockElements: [
        { Type: 'Question', QuestionID: 'QID2', SkipLogic: [skip(to)] },
        { Type: 'Question', QuestionID: 'QID4' },
      ],
    });
    const unsupportedOf = async (two: object) => {
      const file = qsf([forced, choices, forced, forced], {
        blocks: [block(1), two, block(3)],
        ...flow(inBlock(1), randomizer(2)),
      });
      const { warnings, questions } = await readJson(file);
      const optional = [...questions.values()].filter(({ required }) => required !== true).map(({ id }) => id);
      return [warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED').length, optional];
    };
    expect(await unsupportedOf(withSkip('ENDOFBLOCK'))).toEqual([0, ['QID2']]);
    expect(await unsupportedOf(withSkip('ENDOFSURVEY'))).toEqual([1, ['QID1', 'QID2', 'QID4', 'QID3']]);
    expect(await unsupportedOf(withSkip('ENDOFBLOCK', { RandomizeQuestions: 'true' }))).toEqual([1, ['QID2', 'QID4']]);
  });

  it('has no rule, but a warning, if the survey ends before the first question', async () => {
    const BranchLogic = { 0: { 0: { LogicType: 'EmbeddedField', LeftOperand: 'a', Operator: 'Is' } } };
    const end = { Type: 'Branch', BranchLogic, Flow: [{ Type: 'EndSurvey' }] };
    const { warnings, questions } = await readJson(qsf([forced], { blocks: [block(1)], ...flow(end, inBlock(1)) }));
    expect(warnings).toEqual([
      {
        path: '/SurveyElements/2/Payload/Flow/0/BranchLogic',
        code: 'LOGIC_NOT_CONVERTED',
        detail: expect.stringContaining('no question comes before it'),
      },
    ]);
    expect(questions.get('QID1')).toMatchObject({ required: false });
  });

  it.each([
    ['alone', []],
    ['inside one with a condition', [{ 0: { 0: { LogicType: 'EmbeddedField', LeftOperand: 'a', Operator: 'Is' } } }]],
  ])('is not skipped by an end in a branch that cannot be read, %s', async (_, conditions) => {
    const end = { Type: 'Branch', Flow: [{ Type: 'EndSurvey' }] };
    const [BranchLogic] = conditions;
    const branch = BranchLogic === undefined ? end : { Type: 'Branch', BranchLogic, Flow: [end] };
    const file = qsf([forced, forced], { blocks: [block(1), block(2)], ...flow(inBlock(1), branch, inBlock(2)) });
    const { warnings, survey, questions } = await readJson(file);
    expect(warnings.filter(({ code }) => code === 'LOGIC_NOT_CONVERTED')).toMatchObject([
      { detail: expect.stringContaining('the end is inside a branch without a condition that can be read') },
    ]);
    expect(survey).not.toHaveProperty('logic');
    expect(['QID1', 'QID2'].map((id) => questions.get(id)?.['required'])).toEqual([true, false]);
  });

  it('is not imported after an unconditional end of the survey', async () => {
    const file = qsf([{}, {}], {
      blocks: [block(1), block(2)],
      ...flow(inBlock(1), { Type: 'EndSurvey' }, inBlock(2)),
    });
    const { questions, codes } = await readJson(file);
    expect([[...questions.keys()], codes]).toEqual([['QID1'], ['NOT_IMPORTED']]);
  });
});

it('a block inside many groups of the flow is shown', async () => {
  const nested = Array.from({ length: 24 }).reduce<object>((inner) => ({ Type: 'Group', Flow: [inner] }), {
    Type: 'Block',
    ID: 'BL_1',
  });
  const blocks = [{ ID: 'BL_1', BlockElements: [{ Type: 'Question', QuestionID: 'QID1' }] }];
  const { questions, warnings } = await readJson(
    qsf([{}], { blocks, elements: [{ Element: 'FL', Payload: { Type: 'Root', Flow: [nested] } }] }),
  );
  expect([...questions.keys()]).toEqual(['QID1']);
  expect(warnings).toEqual([]);
});

it('questions without choices are reported one by one', async () => {
  const empty = { QuestionType: 'MC', Selector: 'SAVR' };
  const { warnings } = await readJson(qsf([empty, empty]));
  expect(warnings.map(({ detail }) => detail.split(':')[0])).toEqual(['QID1', 'QID2']);
});

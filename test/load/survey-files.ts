const COLOURS = ['Red', 'Green', 'Blue', 'Yellow', 'None of these'];

/** A Qualtrics survey with questions of five choices; every fifth depends on the previous one. */
export function qsfOf(count: number): string {
  const ids = Array.from({ length: count }, (_, index) => `QID${index + 1}`);
  const survey = { SurveyID: 'SV_bench' };
  const questions = ids.map((id, index) => ({
    ...survey,
    Element: 'SQ',
    PrimaryAttribute: id,
    Payload: {
      QuestionText: `<p>Which colour is number ${index}?</p>`,
      DataExportTag: `q${index}`,
      QuestionType: 'MC',
      Selector: 'SAVR',
      SubSelector: 'TX',
      QuestionID: id,
      Choices: Object.fromEntries(COLOURS.map((colour, at) => [String(at + 1), { Display: colour }])),
      ChoiceOrder: COLOURS.map((_, at) => String(at + 1)),
      Validation: { Settings: { ForceResponse: 'OFF', Type: 'None' } },
      ...(index % 5 === 4 ? { DisplayLogic: displayLogic(`QID${index}`) } : {}),
    },
  }));
  const block = { Type: 'Default', ID: 'BL_1', Description: 'All' };
  const elements = ids.map((QuestionID) => ({ Type: 'Question', QuestionID }));
  const blocks = { ...survey, Element: 'BL', Payload: [{ ...block, BlockElements: elements }] };
  const flow = { Flow: [{ Type: 'Block', ID: 'BL_1', FlowID: 'FL_2' }], FlowID: 'FL_1', Type: 'Root' };
  return JSON.stringify({
    SurveyEntry: { ...survey, SurveyName: 'Colours', SurveyLanguage: 'EN' },
    SurveyElements: [blocks, { ...survey, Element: 'FL', Payload: flow }, ...questions],
  });
}

function displayLogic(question: string): object {
  const locator = `q://${question}/SelectableChoice/1`;
  const expression = {
    LogicType: 'Question',
    QuestionID: question,
    QuestionIsInLoop: 'no',
    ChoiceLocator: locator,
    Operator: 'Selected',
    LeftOperand: locator,
    Type: 'Expression',
  };
  return { 0: { 0: expression, Type: 'If' }, Type: 'BooleanExpression', inPage: false };
}

/** A LimeSurvey survey of about this many bytes, with questions of five answers. */
export function lssOf(bytes: number): string {
  const rows = (fields: readonly Readonly<Record<string, string>>[]) =>
    fields
      .map((row) => Object.entries(row).map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`))
      .map((cells) => `<row>${cells.join('')}</row>`)
      .join('\n');
  const section = (name: string, fields: readonly Readonly<Record<string, string>>[]) =>
    `<${name}><rows>${rows(fields)}</rows></${name}>`;
  const count = Math.ceil(bytes / 1_860);
  const questions = Array.from({ length: count }, (_, index) => String(index + 1));
  const answers = questions.flatMap((qid) =>
    COLOURS.map((text, at) => ({ qid, aid: `${qid}${at}`, text, code: `A${at}` })),
  );
  const gid = '1';
  const language = 'en';
  return `<?xml version="1.0" encoding="UTF-8"?>
<document><LimeSurveyDocType>Survey</LimeSurveyDocType><DBVersion>498</DBVersion>
<languages><language>en</language></languages>
${section(
  'answers',
  answers.map(({ aid, qid, code }) => ({ aid, qid, code, sortorder: code.slice(1), scale_id: '0' })),
)}
${section(
  'answer_l10ns',
  answers.map(({ aid, text }) => ({ aid, answer: text, language })),
)}
${section('groups', [{ gid, sid: '1', group_order: '0' }])}
${section('group_l10ns', [{ gid, group_name: 'All', language }])}
${section(
  'questions',
  questions.map((qid) => ({
    qid,
    parent_qid: '0',
    sid: '1',
    gid,
    type: 'L',
    title: `q${qid}`,
    other: 'N',
    mandatory: 'N',
    question_order: qid,
    scale_id: '0',
    relevance: '1',
  })),
)}
${section(
  'question_l10ns',
  questions.map((qid) => ({ qid, question: `<b>Which colour is number ${qid}?</b>`, language })),
)}
${section('surveys', [{ sid: '1', language }])}
${section('surveys_languagesettings', [{ surveyls_survey_id: '1', surveyls_language: language, surveyls_title: 'Colours' }])}
</document>`;
}

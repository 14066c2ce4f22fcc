/** A table of an LSS. */
export const table = (name: string, rows: readonly Readonly<Record<string, string>>[]) => {
  const fields = (row: Readonly<Record<string, string>>) =>
    Object.entries(row).map(([field, value]) => `<${field}><![CDATA[${value}]]></${field}>`);
  return `<${name}><rows>${rows.map((row) => `<row>${fields(row).join('')}</row>`).join('')}</rows></${name}>`;
};
/** Makes an LSS file of an older LimeSurvey version, with one group and these questions. */
export const lss = (questions: readonly Readonly<Record<string, string>>[], more = '') =>
  `<document><LimeSurveyDocType>Survey</LimeSurveyDocType><DBVersion>177</DBVersion>
  ${table('surveys', [{ sid: '1', language: 'en' }])}
  ${table('groups', [{ gid: '1', group_name: 'One', language: 'en' }])}
  ${table(
    'questions',
    questions.map((question, index) => ({
      qid: String(index + 1),
      gid: '1',
      type: 'S',
      title: `Q${index + 1}`,
      question: `Question ${index + 1}`,
      question_order: String(index),
      language: 'en',
      ...question,
    })),
  )}${more}</document>`;

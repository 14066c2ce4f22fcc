/** Makes a QSF file with these questions on one page. */
export function qsf(
  questions: readonly object[],
  more: { readonly blocks?: unknown; readonly elements?: readonly object[] } = {},
) {
  const payloads = questions.map((question, index) => ({
    QuestionText: `Question ${index + 1}`,
    QuestionType: 'TE',
    Selector: 'SL',
    QuestionID: `QID${index + 1}`,
    ...question,
  }));
  const blocks = more.blocks ?? [
    { ID: 'BL_1', BlockElements: payloads.map(({ QuestionID }) => ({ Type: 'Question', QuestionID })) },
  ];
  return {
    SurveyEntry: { SurveyName: 'A survey', SurveyLanguage: 'EN' },
    SurveyElements: [
      { Element: 'BL', Payload: blocks },
      ...payloads.map((Payload) => ({ Element: 'SQ', Payload })),
      ...(more.elements ?? []),
    ],
  };
}

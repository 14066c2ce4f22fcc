interface Part {
  readonly id: string;
}

/** A column of a tool with the parts of its question. */
interface QuestionColumn {
  readonly question: Part;
  readonly option?: Part;
  readonly row?: Part;
  readonly column?: Part;
}

/** The name of a column in the option `columns`, such as `q[row][column]`. */
export function nameOfTarget({ question, option, row, column }: QuestionColumn): string {
  return [option, row, column].reduce((name, part) => (part === undefined ? name : `${name}[${part.id}]`), question.id);
}

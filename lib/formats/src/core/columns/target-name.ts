interface Part {
  readonly id: string;
}

/** A column in the file of another tool, with the question and the part of it that the column answers. */
interface QuestionColumn {
  readonly question: Part;
  readonly option?: Part;
  readonly row?: Part;
  readonly column?: Part;
}

/** The name of the target of a column, as in the import option `columns`, such as `q[row][column]`. */
export function nameOfTarget({ question, option, row, column }: QuestionColumn): string {
  return [option, row, column].reduce((name, part) => (part === undefined ? name : `${name}[${part.id}]`), question.id);
}

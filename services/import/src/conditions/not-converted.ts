/** Says why a condition of another tool has no equal among ours; whoever converts catches it and warns. */
export class NotConverted extends Error {
  override readonly name = 'NotConverted';
}

export type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

export type Value = string | number;

/**
 * Compares like LimeSurvey: as numbers if both are numbers, otherwise as texts. An empty answer is neither less nor
 * greater.
 */
export function compareValues(answer: string, comparison: Comparison, value: Value): boolean {
  const [one, other] = [numberOf(answer), numberOf(value)];
  const areNumbers = one !== undefined && other !== undefined;
  const text = String(value);
  if (comparison === 'eq' || comparison === 'ne') {
    return (areNumbers ? one === other : answer === text) === (comparison === 'eq');
  }
  if ((answer === '') !== (text === '')) return false;
  const order = areNumbers ? Math.sign(one - other) : answer < text ? -1 : answer > text ? 1 : 0;
  switch (comparison) {
    case 'lt':
      return order < 0;
    case 'le':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'ge':
      return order >= 0;
  }
}

function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(value) ? Number(value) : undefined;
}

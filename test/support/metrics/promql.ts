import { parser } from '@prometheus-io/lezer-promql';

/** A selector of an expression: `name{label="value"}`. */
export interface Selector {
  readonly name: string;
  readonly matchers: readonly Matcher[];
}

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

interface Query {
  readonly selectors: readonly Selector[];
  /** The labels by which the expression groups or joins. */
  readonly groupings: readonly string[];
}

/** Parses a PromQL expression, in which variables of Grafana can stand for durations. Throws if it is invalid. */
export function parseQuery(expression: string): Query {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const selectors: { name: string; matchers: Matcher[] }[] = [];
  const groupings: string[] = [];
  const parts = { label: '', operator: '' };
  let isGrouping = false;

  parser.parse(text).iterate({
    enter({ type, name, from, to }) {
      const said = text.slice(from, to);
      if (type.isError) throw new Error(`${expression} cannot be read at ${from}`);
      switch (name) {
        case 'VectorSelector':
          selectors.push({ name: '', matchers: [] });
          break;
        case 'Identifier': {
          const selector = selectors.at(-1);
          if (selector?.name === '') selector.name = said;
          break;
        }
        case 'GroupingLabels':
          isGrouping = true;
          break;
        case 'LabelName':
          if (isGrouping) groupings.push(said);
          else parts.label = said;
          break;
        case 'MatchOp':
          parts.operator = said;
          break;
        case 'StringLiteral':
          selectors.at(-1)?.matchers.push({ ...parts, value: said.slice(1, -1) });
          break;
      }
    },
    leave({ name }) {
      if (name === 'GroupingLabels') isGrouping = false;
    },
  });
  return { selectors, groupings };
}

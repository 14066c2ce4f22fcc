import { FileList } from './file-list.tsx';
import type { FormattedAnswer } from './format-answer.ts';

interface Props {
  readonly responseId: string;
  readonly answer: FormattedAnswer;
}

/** A whole answer. Each text has the direction of its own script. */
export function AnswerView({ responseId, answer }: Props) {
  switch (answer.kind) {
    case 'none':
      return <span className="soft">Not answered</span>;
    case 'text':
      return (
        <p className="text" dir="auto">
          {answer.text}
        </p>
      );
    case 'list':
      return (
        <ul className="plain-list">
          {answer.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts of options need not be unique.
            <li key={index} dir="auto">
              {item}
            </li>
          ))}
        </ul>
      );
    case 'rows':
      return (
        <ul className="plain-list">
          {answer.rows.map(({ row, items }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts of rows need not be unique.
            <li key={index}>
              <bdi className="soft">{row}</bdi>: <Items items={items} />
            </li>
          ))}
        </ul>
      );
    case 'files':
      return <FileList responseId={responseId} ids={answer.ids} />;
  }
}

function Items({ items }: { readonly items: readonly string[] }) {
  return items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: texts of options need not be unique.
    <span key={index}>
      {index > 0 && ', '}
      <bdi>{item}</bdi>
    </span>
  ));
}

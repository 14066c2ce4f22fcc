import type { QuestionItem, QuestionOf } from '@survey/questionnaire';
import { isObject } from '@survey/questionnaire/json';
import { Choice } from './choice.tsx';
import { readCell } from './choices.ts';
import { type ControlProps, elementIdOf, toGroupAria } from './frame.tsx';

/** A likert question with rows, or a matrix: options for each row. */
export function Rows(props: ControlProps<QuestionOf<'likert' | 'matrix'>>) {
  const { question, answer, onAnswer, messages, aria } = props;
  const columns = question.type === 'matrix' ? question.columns : question.options;
  const multiple = question.type === 'matrix' && question.multiple;
  const byRow = new Map<string, unknown>(Object.entries(isObject(answer) ? answer : {}));

  function change(row: string, cell: unknown): void {
    const changed = new Map(byRow);
    if (cell === undefined) changed.delete(row);
    else changed.set(row, cell);
    onAnswer(changed.size === 0 ? undefined : Object.fromEntries(changed));
  }

  return (
    <fieldset class="rows" {...toGroupAria(aria)}>
      {question.rows.map((row, index) => (
        <Row
          key={row.id}
          row={row}
          columns={columns}
          multiple={multiple}
          elementId={`${elementIdOf(question.id)}-row-${index}`}
          cell={byRow.get(row.id)}
          onCell={(cell) => change(row.id, cell)}
          messages={messages}
        />
      ))}
    </fieldset>
  );
}

interface RowProps {
  readonly row: QuestionItem;
  readonly columns: readonly QuestionItem[];
  readonly multiple: boolean;
  readonly elementId: string;
  readonly cell: unknown;
  readonly onCell: (cell: unknown) => void;
  readonly messages: ControlProps<QuestionOf<'likert'>>['messages'];
}

function Row({ row, columns, multiple, elementId, cell, onCell, messages }: RowProps) {
  const chosen = new Set(readCell(cell));

  function toggle(id: string, checked: boolean): void {
    const changed = checked ? [...chosen, id] : [...chosen].filter((one) => one !== id);
    if (multiple) onCell(changed.length === 0 ? undefined : changed);
    else onCell(id);
  }

  return (
    <fieldset class="row" aria-labelledby={elementId}>
      <div class="row-title" id={elementId}>
        <bdi>{row.text}</bdi>
      </div>
      <div class="row-choices">
        {columns.map(({ id, text }) => (
          <Choice
            key={id}
            type={multiple ? 'checkbox' : 'radio'}
            name={elementId}
            checked={chosen.has(id)}
            onChange={(checked) => toggle(id, checked)}
            label={text}
          />
        ))}
      </div>
      {!multiple && chosen.size > 0 && (
        <button
          type="button"
          class="link"
          lang={messages.tag}
          aria-describedby={elementId}
          onClick={() => onCell(undefined)}
        >
          {messages.clear}
        </button>
      )}
    </fieldset>
  );
}

import type { QuestionOf } from '@survey/questionnaire';
import { useState } from 'preact/hooks';
import type { ControlProps } from './frame.tsx';
import { readNumber, shownText } from './number-text.ts';

/** Maximum number of values with a button each. On a longer scale, respondents type a number. */
const MAX_BUTTONS = 21;

/** A number on a scale. */
export function Rating(props: ControlProps<QuestionOf<'rating'>>) {
  const { question, answer, onAnswer, messages, required, aria } = props;
  const { values, labels } = question;
  if (values === undefined || values.length > MAX_BUTTONS) return <NumberInput {...props} />;
  return (
    <>
      <div role="radiogroup" aria-required={required} class="scale" {...aria}>
        {values.map((value) => (
          <label key={value} class="scale-value" data-checked={answer === value ? true : undefined}>
            <input type="radio" name={question.id} checked={answer === value} onChange={() => onAnswer(value)} />
            <span>{value}</span>
            {labels.has(value) && <bdi class="scale-label">{labels.get(value)}</bdi>}
          </label>
        ))}
      </div>
      {!required && answer !== undefined && (
        <button type="button" class="link" lang={messages.tag} onClick={() => onAnswer(undefined)}>
          {messages.clear}
        </button>
      )}
    </>
  );
}

function NumberInput({ answer, onAnswer, required, aria }: ControlProps<QuestionOf<'rating'>>) {
  const [typed, setTyped] = useState('');
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      class="short"
      {...aria}
      aria-required={required}
      value={shownText(typed, answer)}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value);
        onAnswer(readNumber(value));
      }}
    />
  );
}

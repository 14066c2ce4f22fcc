import type { Question, QuestionOf } from '@survey/questionnaire';
import { useState } from 'preact/hooks';
import type { ControlProps } from './frame.tsx';
import { readRating, shownText, understoodNumber } from './number-text.ts';

/** Maximum number of values with a button each. On a longer scale, respondents type a number. */
const MAX_BUTTONS = 21;

/** A number on a scale. */
export function Rating(props: ControlProps<QuestionOf<'rating'>>) {
  const { question, answer, onAnswer, messages, required, aria } = props;
  const { values, labels } = question;
  if (values === undefined || values.length > MAX_BUTTONS)
    return <NumberInput {...props} inputMode="decimal" read={readRating} />;
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

interface NumberInputProps extends Omit<ControlProps<Question>, 'question'> {
  readonly inputMode: 'decimal' | 'text';
  /** Reads the answer from what was typed. */
  readonly read: (typed: string, language: string) => unknown;
}

/** A field for a number. After a decimal comma, it shows the number that was understood. */
export function NumberInput(props: NumberInputProps) {
  const { answer, onAnswer, messages, language, required, aria, inputMode, read } = props;
  const [typed, setTyped] = useState('');
  const shown = shownText(typed, answer, (text) => read(text, language));
  // The answer may come from before a change of the language, in which the text means something else.
  const understood = read(shown, language) === answer ? understoodNumber(shown, language) : undefined;
  return (
    <>
      <input
        type="text"
        inputMode={inputMode}
        autocomplete="off"
        class="short"
        {...aria}
        aria-required={required}
        value={shown}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          onAnswer(read(value, language));
        }}
      />
      <p class="soft" role="status" lang={messages.tag} hidden={understood === undefined}>
        {understood === undefined ? '' : messages.understood(...understood)}
      </p>
    </>
  );
}

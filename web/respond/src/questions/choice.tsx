import type { QuestionItem, QuestionOf } from '@survey/questionnaire';
import { OTHER } from '@survey/questionnaire/answers/answer-value';
import type { ComponentChildren } from 'preact';
import { type Choices, readChoices, readSingle, toAnswer } from './choices.ts';
import { type AriaAttributes, type ControlProps, elementIdOf, toGroupAria } from './frame.tsx';

/** A longer list is shown as a select box, unless respondents can enter their own text. */
const MANY_OPTIONS = 20;

/** One of several options, or the respondent's own text. */
export function SingleChoice(props: ControlProps<QuestionOf<'single_choice'>>) {
  const { question, answer, onAnswer, messages, required } = props;
  if (question.options.length > MANY_OPTIONS && !question.allowOther) return <Select {...props} />;
  const { option, text } = readSingle(answer);
  return (
    <RadioList {...props} items={question.options} chosen={option} onChoose={onAnswer}>
      {question.allowOther && (
        <Choice
          type="radio"
          name={question.id}
          checked={option === OTHER}
          onChange={() => onAnswer({ option: OTHER, text })}
          label={messages.other}
          lang={messages.tag}
        >
          {option === OTHER && (
            <OtherText
              {...props}
              text={text}
              onText={(changed) => onAnswer({ option: OTHER, text: changed })}
              required={required}
            />
          )}
        </Choice>
      )}
    </RadioList>
  );
}

/** A likert question without rows: one option of the scale. */
export function LikertOption(props: ControlProps<QuestionOf<'likert'>>) {
  return <RadioList {...props} items={props.question.options} chosen={props.answer} onChoose={props.onAnswer} />;
}

interface RadioListProps extends ControlProps<QuestionOf<'single_choice' | 'likert'>> {
  readonly items: readonly QuestionItem[];
  readonly chosen: unknown;
  readonly onChoose: (id: string) => void;
  readonly children?: ComponentChildren;
}

function RadioList({
  question,
  items,
  chosen,
  onChoose,
  onAnswer,
  messages,
  required,
  aria,
  children,
}: RadioListProps) {
  return (
    <>
      <div role="radiogroup" aria-required={required} class="choices" {...aria}>
        {items.map(({ id, text }) => (
          <Choice
            key={id}
            type="radio"
            name={question.id}
            checked={chosen === id}
            onChange={() => onChoose(id)}
            label={text}
          />
        ))}
        {children}
      </div>
      {!required && chosen !== undefined && (
        <button type="button" class="link" lang={messages.tag} onClick={() => onAnswer(undefined)}>
          {messages.clear}
        </button>
      )}
    </>
  );
}

function Select({ question, answer, onAnswer, messages, required, aria }: ControlProps<QuestionOf<'single_choice'>>) {
  return (
    <select
      {...aria}
      required={required}
      value={typeof answer === 'string' ? answer : ''}
      onChange={({ currentTarget: { value } }) => onAnswer(value === '' ? undefined : value)}
    >
      <option value="" lang={messages.tag}>
        {messages.choose}
      </option>
      {question.options.map(({ id, text }) => (
        <option key={id} value={id} dir="auto">
          {text}
        </option>
      ))}
    </select>
  );
}

/** Any number of options, and the respondent's own text. */
export function MultipleChoice(props: ControlProps<QuestionOf<'multiple_choice'>>) {
  const { question, answer, onAnswer, messages, aria } = props;
  const choices = readChoices(answer);
  const chosen = new Set(choices.options);
  const change = (changes: Partial<Choices>) => onAnswer(toAnswer(question, choices, { ...choices, ...changes }));
  return (
    <fieldset class="choices" {...toGroupAria(aria)}>
      {question.options.map(({ id, text }) => (
        <Choice
          key={id}
          type="checkbox"
          name={question.id}
          checked={chosen.has(id)}
          onChange={(checked) =>
            change({ options: checked ? [...choices.options, id] : choices.options.filter((one) => one !== id) })
          }
          label={text}
        />
      ))}
      {question.allowOther && (
        <Choice
          type="checkbox"
          name={question.id}
          checked={choices.other !== undefined}
          onChange={(checked) => change({ other: checked ? '' : undefined })}
          label={messages.other}
          lang={messages.tag}
        >
          {choices.other !== undefined && (
            <OtherText {...props} text={choices.other} onText={(other) => change({ other })} required />
          )}
        </Choice>
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly type: 'radio' | 'checkbox';
  readonly name: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: string;
  /** Language of the label, unless it is the one of the page. */
  readonly lang?: string;
  readonly children?: ComponentChildren;
}

/** A radio button or checkbox with its text. The whole line can be clicked. */
export function Choice({ type, name, checked, onChange, label, lang, children }: ChoiceProps) {
  return (
    <div class="choice" data-checked={checked ? true : undefined}>
      <label>
        <input type={type} name={name} checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
        <bdi lang={lang}>{label}</bdi>
      </label>
      {children}
    </div>
  );
}

interface OtherTextProps {
  readonly question: QuestionOf<'single_choice' | 'multiple_choice'>;
  readonly messages: ControlProps<QuestionOf<'single_choice'>>['messages'];
  readonly aria: AriaAttributes;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly required: boolean;
}

function OtherText({ question, messages, aria, text, onText, required }: OtherTextProps) {
  return (
    <input
      type="text"
      id={`${elementIdOf(question.id)}-other`}
      dir="auto"
      aria-label={messages.otherText}
      aria-invalid={aria['aria-invalid']}
      aria-required={required}
      value={text}
      onInput={({ currentTarget: { value } }) => onText(value)}
    />
  );
}

import { limits } from '@survey/client';
import { useCan } from '../session/session.tsx';
import { SurveysField } from '../surveys/surveys-field.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, TextField } from '../ui/fields.tsx';
import { EventTypeField } from './event-type-field.tsx';
import { type HeaderRow, HIDDEN_VALUE, isOtherServer, type WebhookForm } from './webhook.ts';

interface Props {
  readonly form: WebhookForm;
  readonly onChange: (form: WebhookForm) => void;
  /** The URL of an existing webhook. */
  readonly storedUrl?: string;
}

/** The settings of a webhook, for a new and an existing one. */
export function WebhookFields({ form, onChange, storedUrl }: Props) {
  const can = useCan();
  const set = (change: Partial<WebhookForm>) => onChange({ ...form, ...change });
  return (
    <>
      <TextField
        label="URL"
        description="Your server. It must be reachable by HTTPS from the internet."
        type="url"
        required
        {...limits.CreateWebhookRequest.url}
        value={form.url}
        onChange={(url) => set({ url })}
      />
      <TextField
        label="Description"
        {...limits.CreateWebhookRequest.description}
        value={form.description}
        onChange={(description) => set({ description })}
      />
      <EventTypeField value={form.event_types} onChange={(types) => set({ event_types: [...types] })} />
      {can('surveys:read') && (
        <SurveysField
          label="Only these surveys"
          description="Without a choice, events of all surveys are sent."
          value={form.survey_ids}
          onChange={(ids) => set({ survey_ids: [...ids] })}
        />
      )}
      {(can('responses:read') || form.include_answers) && (
        <Checkbox
          label="Include the answers in events of responses"
          checked={form.include_answers}
          onChange={(isIncluded) => set({ include_answers: isIncluded })}
        />
      )}
      <HeaderField
        value={form.headers}
        onChange={(headers) => set({ headers })}
        isOtherServer={isOtherServer(storedUrl, form.url)}
      />
    </>
  );
}

interface HeaderFieldProps {
  readonly value: readonly HeaderRow[];
  readonly onChange: (value: readonly HeaderRow[]) => void;
  /** Whether stored values must be entered again. */
  readonly isOtherServer: boolean;
}

/**
 * Headers of each request. The platform returns `********` in place of a value. If you send `********` back, the value
 * stays.
 */
function HeaderField({ value, onChange, isOtherServer }: HeaderFieldProps) {
  const change = (index: number, row: Partial<HeaderRow>) =>
    onChange(value.map((old, position) => (position === index ? { ...old, ...row } : old)));
  return (
    <fieldset className="fieldset">
      <legend>Headers</legend>
      <p className="small soft">
        Sent with each request, such as a token for your receiver. Values are stored encrypted.
      </p>
      {isOtherServer && value.some(({ value: text }) => text === HIDDEN_VALUE) && (
        <p className="small error">The URL leads to another server. Enter the hidden values again, or remove them.</p>
      )}
      {value.map(({ name, value: text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and keep their order.
        <div key={index} className="row">
          <TextField label="Name" required value={name} onChange={(next) => change(index, { name: next })} />
          <TextField
            label="Value"
            autoComplete="off"
            required={isOtherServer && text === HIDDEN_VALUE}
            value={isOtherServer && text === HIDDEN_VALUE ? '' : text}
            onChange={(next) => change(index, { value: next })}
          />
          <Button
            aria-label={`Remove the header ${name}`}
            onPress={() => onChange(value.filter((_, position) => position !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button onPress={() => onChange([...value, { name: '', value: '' }])}>Add a header</Button>
      </div>
    </fieldset>
  );
}

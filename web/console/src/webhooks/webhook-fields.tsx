import { useCan } from '../session/session.tsx';
import { SurveysField } from '../surveys/surveys-field.tsx';
import { Checkbox, TextField } from '../ui/fields.tsx';
import { EventTypeField } from './event-type-field.tsx';
import { HeaderField } from './header-field.tsx';
import { isOtherServer, type WebhookForm } from './webhook.ts';

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
        maxLength={2048}
        value={form.url}
        onChange={(url) => set({ url })}
      />
      <TextField
        label="Description"
        maxLength={1000}
        value={form.description}
        onChange={(description) => set({ description })}
      />
      <EventTypeField value={form.eventTypes} onChange={(eventTypes) => set({ eventTypes })} />
      {can('surveys:read') && (
        <SurveysField
          label="Only these surveys"
          description="Without a choice, events of all surveys are sent."
          value={form.surveyIds}
          onChange={(surveyIds) => set({ surveyIds })}
        />
      )}
      {(can('responses:read') || form.includeAnswers) && (
        <Checkbox
          label="Include the answers in events of responses"
          checked={form.includeAnswers}
          onChange={(includeAnswers) => set({ includeAnswers })}
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

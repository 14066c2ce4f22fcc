import { limits } from '@survey/client';
import { useCan } from '../session/session.tsx';
import { useDelayedText } from '../ui/delayed-commit.ts';
import { Checkbox, SelectField, TextField } from '../ui/fields.tsx';
import { defaultFormat, type ImportSettings, SOURCE_NAMES, SOURCES, type Target } from './import-settings.ts';

interface Props {
  readonly target: Target;
  readonly settings: ImportSettings;
  readonly onChange: (settings: ImportSettings) => void;
}

const UNMASK_CHOICES = [
  { value: 'automatic', label: 'automatic' },
  { value: 'yes', label: 'remove' },
  { value: 'no', label: 'keep' },
] as const;

const INVALID_ANSWERS = [
  { value: 'automatic', label: 'automatic' },
  { value: 'keep', label: 'keep in the metadata' },
  { value: 'blank', label: 'remove' },
  { value: 'reject', label: 'reject the response' },
] as const;

const PARTIAL_RESPONSES = [
  { value: 'in_progress', label: 'in progress' },
  { value: 'completed', label: 'completed' },
  { value: 'leave_out', label: 'leave out' },
] as const;

const TIME_ZONES = [
  { value: '', label: 'UTC, with a warning' },
  ...['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')].map((value) => ({
    value,
    label: value,
  })),
];

/** Source, format and options of an import. */
export function SettingsFields({ target, settings, onChange }: Props) {
  const can = useCan();
  const set = (change: Partial<ImportSettings>) => onChange({ ...settings, ...change });
  const { formats } = SOURCES[settings.source];
  return (
    <>
      <div className="row">
        <SelectField
          label="Source"
          value={settings.source}
          onChange={(source) => {
            const supportsFormat = SOURCES[source].formats[target].includes(settings.format);
            set({ source, ...(supportsFormat ? {} : { format: defaultFormat(source, target) }) });
          }}
          options={SOURCE_NAMES.map((value) => ({ value, label: SOURCES[value].label }))}
        />
        <SelectField
          label="Format"
          value={settings.format}
          onChange={(format) => set({ format })}
          options={formats[target].map((value) => ({ value, label: value.toUpperCase() }))}
        />
      </div>
      <fieldset className="fieldset">
        <legend>Options</legend>
        {target === 'survey' && (
          <>
            <div className="row">
              <TextField
                label="Title, if the file has none"
                {...limits.ImportSurveyQuery.title}
                value={settings.title}
                onChange={(title) => set({ title })}
              />
              <LanguageField value={settings.language} onChange={(language) => set({ language })} />
            </div>
            {can('responses:import') && (
              <Checkbox
                label="Import the responses in the file"
                checked={settings.importResponses}
                onChange={(importResponses) => set({ importResponses })}
              />
            )}
            <Checkbox
              label="Keep the ids of questions, options and responses"
              checked={settings.preserveIds}
              onChange={(preserveIds) => set({ preserveIds })}
            />
            <Checkbox
              label="Reject a survey with errors"
              checked={settings.validateLogic}
              onChange={(validateLogic) => set({ validateLogic })}
            />
          </>
        )}
        {target === 'responses' && settings.format === 'csv' && (
          <SelectField
            label="Apostrophes before formulas"
            description="Exports put them there. Automatic removes them from files with all columns of an export."
            value={settings.unmask}
            onChange={(unmask) => set({ unmask })}
            options={UNMASK_CHOICES}
          />
        )}
        {(target === 'responses' || (can('responses:import') && settings.importResponses)) && (
          <>
            <div className="row">
              <SelectField
                label="Answers that do not fit"
                description="Automatic keeps them for files of other tools, and rejects the response for your own files."
                value={settings.onInvalidAnswer}
                onChange={(onInvalidAnswer) => set({ onInvalidAnswer })}
                options={INVALID_ANSWERS}
              />
              <SelectField
                label="Unfinished responses"
                value={settings.partialResponses}
                onChange={(partialResponses) => set({ partialResponses })}
                options={PARTIAL_RESPONSES}
              />
              <SelectField
                label="Time zone of times without one"
                value={settings.timeZone}
                onChange={(timeZone) => set({ timeZone })}
                options={TIME_ZONES}
              />
            </div>
            <Checkbox
              label="Import previews, tests and spam"
              checked={settings.includeTests}
              onChange={(includeTests) => set({ includeTests })}
            />
          </>
        )}
        <Checkbox
          label="Send an event to webhooks for each response"
          checked={settings.emitEvents}
          onChange={(emitEvents) => set({ emitEvents })}
        />
      </fieldset>
    </>
  );
}

interface LanguageProps {
  readonly value: string;
  readonly onChange: (language: string) => void;
}

/** The language of a survey. It takes effect a moment after the last key, because each change makes a new plan. */
function LanguageField({ value, onChange }: LanguageProps) {
  const { text, change, flush } = useDelayedText(value, onChange);
  return (
    <TextField
      label="Language, if the file has none"
      {...limits.ImportSurveyQuery.language}
      value={text}
      onChange={change}
      onCommit={flush}
    />
  );
}

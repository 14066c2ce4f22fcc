import { Button } from '../ui/button.tsx';
import { SurveyTitleById } from './survey-name.tsx';
import { SurveyPicker } from './survey-picker.tsx';

const MAX_SURVEYS = 100;

interface Props {
  readonly label: string;
  readonly description: string;
  /** Ids of surveys. */
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

/** A choice of several surveys. */
export function SurveysField({ label, description, value, onChange }: Props) {
  return (
    <fieldset className="fieldset">
      <legend>{label}</legend>
      <p className="small soft">{description}</p>
      {value.map((id) => (
        <div key={id} className="row">
          <SurveyTitleById surveyId={id} />
          <Button variant="plain" onPress={() => onChange(value.filter((chosen) => chosen !== id))}>
            Remove
          </Button>
        </div>
      ))}
      {value.length < MAX_SURVEYS && (
        <SurveyPicker
          label="Add a survey"
          onChoose={({ id }) => onChange(value.includes(id) ? value : [...value, id])}
        />
      )}
    </fieldset>
  );
}

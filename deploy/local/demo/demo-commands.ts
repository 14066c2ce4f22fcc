import { toShellWord } from '../process/shell-word.ts';
import { demoResponse, demoSurvey } from './demo-survey.ts';

interface DemoAccess {
  readonly gateway: string;
  /** Token or API key of the owner. */
  readonly token: string;
  readonly surveyId: string;
}

const JSON_TYPE = "-H 'Content-Type: application/json'";

/** Commands that use the API of a demo tenant, for the terminal. */
export function toDemoCommands({ gateway, token, surveyId }: DemoAccess): string {
  const auth = `-H 'Authorization: Bearer ${token}'`;
  const responses = `${gateway}/v1/public/surveys/${surveyId}/responses`;
  return `Create a survey:
  curl -s ${gateway}/v1/surveys ${auth} ${JSON_TYPE} -d ${toShellWord(JSON.stringify(demoSurvey))}

Submit a response to the demo survey:
  curl -s ${responses} ${JSON_TYPE} -d ${toShellWord(JSON.stringify(demoResponse))}

Submit a response from a web page of an origin in CORS_ORIGINS. With "npm start", these are all ports of localhost:
  await fetch('${responses}', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify(${JSON.stringify(demoResponse)}),
  });

List the responses:
  curl -s ${gateway}/v1/surveys/${surveyId}/responses ${auth}
`;
}

// Uses the network functions of the client, with the server in the first argument.
import { createClient, readNdjson } from '@survey/client';

const client = createClient({ baseUrl: process.argv[2], token: 'svk_test' });
const { signal } = new AbortController();
const survey = await client.surveys.create({}, { signal });
const receipt = new Blob(['One soup.']).stream();
const file = await client.respondents.uploadFile(survey.id, receipt, { question_id: 'receipt' }, { signal });
const rows = [];
for await (const row of readNdjson(await client.responses.export(survey.id))) rows.push(row);
console.log(JSON.stringify([survey, file, rows]));

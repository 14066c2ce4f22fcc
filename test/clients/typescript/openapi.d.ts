// The test generates this file from the document that the gateway serves.
export type { components, paths } from '@survey/proto/openapi';

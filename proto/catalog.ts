import type { DescService } from '@bufbuild/protobuf';
import { ApiKeyCheckService } from './gen/survey/identity/v1/api_key_check_service_pb.js';
import { ApiKeyService } from './gen/survey/identity/v1/api_key_service_pb.js';
import { AuditService } from './gen/survey/identity/v1/audit_service_pb.js';
import { IdentityService } from './gen/survey/identity/v1/identity_service_pb.js';
import { PermissionService } from './gen/survey/identity/v1/permission_service_pb.js';
import { RateLimitService } from './gen/survey/identity/v1/rate_limit_service_pb.js';
import { TenantAdminService } from './gen/survey/identity/v1/tenant_admin_service_pb.js';
import { UserService } from './gen/survey/identity/v1/user_service_pb.js';
import { ImportService } from './gen/survey/imports/v1/import_service_pb.js';
import { KeyService } from './gen/survey/keys/v1/key_service_pb.js';
import { AnswerService } from './gen/survey/responses/v1/answer_service_pb.js';
import { InvitationService } from './gen/survey/responses/v1/invitation_service_pb.js';
import { PublicResponseService } from './gen/survey/responses/v1/public_response_service_pb.js';
import { ResponseImportService } from './gen/survey/responses/v1/response_import_service_pb.js';
import { ResponseService } from './gen/survey/responses/v1/response_service_pb.js';
import { DefinitionService } from './gen/survey/surveys/v1/definition_service_pb.js';
import { LinkService } from './gen/survey/surveys/v1/link_service_pb.js';
import { ProjectService } from './gen/survey/surveys/v1/project_service_pb.js';
import { SurveyService } from './gen/survey/surveys/v1/survey_service_pb.js';
import { WebhookService } from './gen/survey/webhooks/v1/webhook_service_pb.js';

/** The services of the contract by process. Several processes can serve a service that has only gRPC. */
export const catalog = {
  identity: [
    IdentityService,
    UserService,
    ApiKeyService,
    AuditService,
    ApiKeyCheckService,
    PermissionService,
    RateLimitService,
    TenantAdminService,
    KeyService,
  ],
  survey: [SurveyService, ProjectService, LinkService, DefinitionService, KeyService],
  response: [
    PublicResponseService,
    ResponseService,
    ResponseImportService,
    AnswerService,
    InvitationService,
    KeyService,
  ],
  webhook: [WebhookService, KeyService],
  import: [ImportService, KeyService],
} as const satisfies Record<string, readonly DescService[]>;

/** The name of a process. */
export type Backend = keyof typeof catalog;

/** The Kafka topics by the owner of the events. */
export const topics = {
  survey: 'survey.events',
  response: 'response.events',
  import: 'import.events',
  webhook: 'webhook.events',
  tenant: 'tenant.events',
  audit: 'audit.events',
} as const;

/** Topics whose events contain the whole state of their key. Kafka keeps the latest event of each key. */
export const stateTopics: readonly string[] = [topics.tenant];

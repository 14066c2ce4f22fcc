/** The help text of the operator's commands. */
export const USAGE = `usage: npm run --silent admin -- COMMAND

  demo [--name NAME]
  doctor [--json]
  repair [--execute]
  tenant create --name NAME --owner-email EMAIL
  tenant list [--limit NUMBER] [--after ID]
  tenant show --tenant ID
  tenant suspend --tenant ID
  tenant resume --tenant ID
  tenant limits --tenant ID [--requests-per-minute NUMBER] [--concurrent-requests NUMBER]
  tenant delete --tenant ID --confirm ID
  user add --tenant ID --email EMAIL --role viewer|analyst|editor|admin|owner [--permission PERMISSION]...
  token --tenant ID --user ID [--expires-in SECONDS]
  token revoke --tenant ID --token-file FILE
  token revoke --tenant ID --user ID --token-id ID
  keys rotate --tenant ID
  keys rewrap
  dead-letters list --topic TOPIC [--command-config FILE]
  dead-letters replay --topic TOPIC [--command-config FILE]
  dead-letters discard --topic TOPIC --partition NUMBER --offset NUMBER [--command-config FILE]
  offsets reset --to-datetime TIME [--execute] [--command-config FILE]

demo             creates a new tenant with an owner, an API key, a published survey and responses, and prints commands to
                 try. Its default name is "Demo" and the time. The API key does not expire, the token expires in a day.
doctor           checks the installation and says what to do: settings, MongoDB, indexes, Kafka, topics, keys, certificates,
                 clocks and versions. Its exit code is 1 if something must be done.
repair           lists missing indexes and topics. --execute creates them, as set-up does. "unchecked" lists services whose
                 settings are not known here.
tenant list      lists all tenants, oldest first, 100 unless --limit says otherwise. If "has_more" is true, continue with
                 --after and the last id.
tenant suspend   rejects the tenant's tokens and API keys, and responses to its surveys, until "tenant resume". Import
                 jobs pause. Webhooks of earlier events continue.
tenant limits    replaces all limits of the tenant; an omitted one returns to the default. Applies within seconds.
tenant delete    erases the tenant and all its data for good. --confirm repeats the id. "tenant show" lists the services
                 that are done. Deleting again notifies all services again.
token revoke     rejects a token within five seconds, until it expires. Give the token in a file, or give its user and
                 its jti. A token without jti is valid until it expires or its user is removed.
keys rotate      creates a new data key of the tenant in each service.
keys rewrap      wraps all data keys with the active key of the keyring. When "remaining" is 0 in all services, the other
                 keys can be removed from the keyring. Both commands fail if one of the services fails.
dead-letters     messages of a topic, such as survey.events, that a consumer could not process. "list" prints up to 100
                 with their causes. "replay" sends them to all consumers of the topic again; consumers ignore repeats.
                 "discard" skips the oldest one of a partition, for one that cannot be read: give its offset.
offsets reset    lists the changes that let all consumers of the platform read again from a time, such as
                 2026-11-22T03:00:00Z. --execute makes them. Stop the services first. Groups of other applications stay.
--command-config properties of a Kafka client, as for Kafka's own scripts. Without bootstrap.servers, the addresses of the
                 installation are used. Without a file, KAFKA_BROKERS and the other Kafka variables of this process are
                 used. If they are not set, those of the installation are used.

Prints one line of JSON; "doctor" prints text, and "demo" also prints its commands, on standard error. Uses the stack of
"npm start", the stack in the folder LOCAL_DIR, or the installation that the file SURVEY_INSTALLATION describes.
`;

using System.Text.Json.Serialization;

namespace RedisLatency.Replication.Rendezvous;

internal readonly record struct WrittenKeys(
    [property: JsonRequired] long Asked, [property: JsonRequired] long Unsent, [property: JsonRequired] long Refused);

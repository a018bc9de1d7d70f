using System.Text.Json.Serialization;

namespace RedisLatency.Replication.Rendezvous;

/// <summary>How many keys were due on one connection of the writer, and how many of them it did not write.</summary>
internal readonly record struct WrittenKeys(
    [property: JsonRequired] long Asked, [property: JsonRequired] long Unsent, [property: JsonRequired] long Refused);

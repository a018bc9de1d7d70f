using System.Text.Json.Serialization;
using RedisLatency.Fleet.Meeting;
using RedisLatency.Fleet.Results;

namespace RedisLatency.Fleet;

[JsonSerializable(typeof(SessionNote))]
[JsonSerializable(typeof(MemberState))]
[JsonSerializable(typeof(StartNotice))]
[JsonSerializable(typeof(ResultsNote))]
[JsonSerializable(typeof(SentFiles))]
internal sealed partial class FleetJson : JsonSerializerContext;

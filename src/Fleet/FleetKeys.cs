using System.Globalization;
using RedisLatency.Redis;
using StackExchange.Redis;

namespace RedisLatency.Fleet;

/// <summary>
/// The keys by which a run's members meet: all below <c>redislatency:{RUN}:</c>, so that a cluster has them on one
/// node.
/// </summary>
/// <param name="run">The run's name.</param>
public sealed class FleetKeys(string run)
{
    /// <summary>Which group of members has the name now; whoever is in it keeps it alive.</summary>
    internal RedisKey Session => Below("session");

    /// <summary>Whose results are those of the name.</summary>
    internal RedisKey Latest => Below("latest");

    /// <summary>What a user of the control Redis must be allowed, as a command that allows it.</summary>
    /// <param name="user">The ACL user; null for the default one.</param>
    public string AclRule(string? user) => AclLine.For(
        user,
        $"~{Below("*")}",
        // What the client asks when it connects.
        "+hello", "+auth", "+ping", "+echo", "+info", "+select", "+client|setname",
        "+cluster|nodes", "+cluster|slots",
        // What members ask.
        "+time", "+get", "+mget", "+set", "+setex", "+psetex", "+del", "+unlink", "+pexpire", "+expire", "+watch",
        "+unwatch", "+multi", "+exec", "+discard", "+exists", "+hset", "+hget", "+hgetall", "+xadd", "+xread",
        "+xrange", "+rpush", "+lrange", "+llen");

    internal RedisKey Lease(string session, int member) => Below($"{session}:member:{Number(member)}");

    internal RedisKey States(string session) => Below($"{session}:states");

    internal RedisKey Events(string session) => Below($"{session}:events");

    internal RedisKey Start(string session, int barrier) => Below($"{session}:start:{Number(barrier)}");

    internal RedisKey Intervals(string session) => Below($"{session}:intervals");

    internal RedisKey Results(string session) => Below($"{session}:results");

    internal RedisKey File(string session, int member, string name) =>
        Below($"{session}:result:{Number(member)}:{name}");

    private string Below(string name) => $"redislatency:{{{run}}}:{name}";

    private static string Number(int number) => number.ToString(CultureInfo.InvariantCulture);
}

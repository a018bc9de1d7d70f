using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Connections;

internal static class AnyServer
{
    public static RedisConnection Open(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        var problems = new List<RedisException>();
        foreach (var server in endpoint.Servers)
        {
            try
            {
                return RedisConnection.Open(server, options);
            }
            catch (RedisException problem) when (problem.IsTransient)
            {
                problems.Add(problem);
            }
        }

        throw new RedisConnectException(
            (problems[0] as RedisConnectException)?.Reason ?? ConnectFailure.Unreachable,
            $"{endpoint}: none of its servers answers: {string.Join("; ", problems.Select(one => one.Message))}",
            problems[0]);
    }

    /// <summary>Connects, and spends no more than so long on connecting and on each command.</summary>
    public static RedisConnection OpenWithin(TimeSpan most, RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        var limited = options with
        {
            ConnectTimeout = Least(endpoint.ConnectTimeout ?? options.ConnectTimeout),
            CommandTimeout = Least(endpoint.CommandTimeout ?? options.CommandTimeout),
        };
        return RedisConnection.Open(endpoint with { ConnectTimeout = null, CommandTimeout = null }, limited);

        TimeSpan Least(TimeSpan limit) => limit < most ? limit : most;
    }
}

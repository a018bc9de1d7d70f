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
}

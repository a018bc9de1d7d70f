using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

/// <summary>What nodes must be told before operations can be sent: SCRIPT LOAD.</summary>
internal static class ScriptPreparation
{
    /// <exception cref="Redis.RedisException">One cannot be reached, or refuses.</exception>
    public static void Run(
        OperationMix mix, Func<IEnumerable<RedisEndpoint>> nodes, RedisConnectionOptions options)
    {
        if (!PreparationsOf(mix).Any())
            return;
        foreach (var endpoint in nodes())
        {
            using var connection = RedisConnection.Open(endpoint, options);
            Run(mix, connection);
        }
    }

    /// <exception cref="Redis.RedisException">It refuses.</exception>
    public static void Run(OperationMix mix, RedisConnection connection)
    {
        foreach (var words in PreparationsOf(mix))
            connection.Execute([.. words]);
    }

    private static IEnumerable<IReadOnlyList<string>> PreparationsOf(OperationMix mix) =>
        mix.Operations.Select(operation => operation.Command.Preparation).Where(words => words.Count > 0);
}

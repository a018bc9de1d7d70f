using RedisLatency.Hosting.Running;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>In which order each client sends its sets, gets and waits (client.cpp, create_request).</summary>
internal static class MemtierTurns
{
    private const int Longest = 1_000_000;

    // The ratio of sets and gets goes on as if there were no waits. A WAIT comes first, then directly after as many
    // sets as the ratio says and one more: the original divides whole numbers, and waits for more than the quotient.
    public static OperationTurns? Of(MemtierOptions options, IReadOnlyList<MemtierOperation> operations)
    {
        var isWaiting = options.WaitRatio.Waits > 0 && options.Commands.Count == 0;
        var perWait = isWaiting ? (options.WaitRatio.Sets / options.WaitRatio.Waits) + 1L : 1;
        var perTurn = operations.Where(IsSet).Sum(operation => operation.Weight);
        var turns = perTurn == 0 ? 1 : perWait / Greatest(perTurn, perWait);
        if (operations.Sum(operation => (long)operation.Weight) * turns > Longest)
        {
            var names = isWaiting ? "--ratio, --wait-ratio"
                : options.Commands.Count > 0 ? "--command-ratio"
                : "--ratio";
            throw new ConfigurationException($"{names}: turns of at most {Longest} requests are possible");
        }

        if (!isWaiting)
            return null;
        var (wait, since) = (operations.Count - 1, 0L);
        var order = new List<int>();
        for (var turn = 0L; turn < turns; turn++)
        {
            foreach (var (place, operation) in operations.Take(wait).Index())
            {
                for (var i = 0; i < operation.Weight; i++)
                {
                    order.Add(place);
                    if (!IsSet(operation) || ++since < perWait)
                        continue;
                    order.Add(wait);
                    since = 0;
                }
            }
        }

        return new OperationTurns([wait], order);
    }

    private static bool IsSet(MemtierOperation operation) => operation.Row == "SET";

    private static long Greatest(long one, long other) => other == 0 ? one : Greatest(other, one % other);
}

using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Options;

/// <summary>How one operation of a mix spreads over the records.</summary>
internal sealed record OperationKeys(string Operation, string Keys);

/// <summary>Reads <c>set=sequential</c>.</summary>
internal static class OperationKeysSyntax
{
    public static ValueSyntax<OperationKeys> Create() => new("NAME=DISTRIBUTION", Read, Write);

    private static ValueReading<OperationKeys> Read(string text)
    {
        if (text.Split('=', 2) is not [{ Length: > 0 } name, var keys])
            return Wrong("an operation and its distribution are needed, for instance set=sequential");
        return KeyDistribution.Problem(keys) is { } problem
            ? Wrong(problem)
            : ValueReading.Of(new OperationKeys(name, keys));
    }

    private static ValueReading<OperationKeys> Wrong(string problem) => ValueReading.Wrong<OperationKeys>(problem);

    private static string Write(OperationKeys one) => $"{one.Operation}={one.Keys}";
}

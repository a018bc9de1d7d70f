using System.Globalization;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

internal static class PhaseMix
{
    private const string Insert = "insert";

    public static OperationMix OfLoad(PhaseOptions options) =>
        new([new MixedOperation(Insert, BuiltInCommand.Named(Insert, options.Expiry))]);

    public static OperationMix Of(PhaseOptions options) =>
        new(OperationsOf(options), options.MixOrder == MixOrder.Cyclic);

    /// <summary>A named operation that writes and takes no expiry, or null.</summary>
    public static string? Everlasting(PhaseOptions options) => PartsOf(options)
        .Select(part => part.Operation)
        .FirstOrDefault(operation => !BuiltInCommand.CanExpire(operation));

    /// <summary>The distribution of keys, as YCSB's workload files have it.</summary>
    public static string KeysOf(PhaseOptions options)
    {
        if (options.Keys is { } keys)
            return keys;
        if (options.Mix.Count + options.Commands.Count > 0)
            return "uniform";
        return options.Workload == YcsbWorkload.D ? "latest" : "ycsb";
    }

    public static double InsertShare(OperationMix mix) =>
        mix.Operations.Where(operation => operation.KeyStream == DrawnKeys.InsertStream)
            .Sum(operation => operation.Weight)
        / mix.Operations.Sum(operation => operation.Weight);

    private static List<MixedOperation> OperationsOf(PhaseOptions options)
    {
        var operations = new List<MixedOperation>();
        foreach (var part in PartsOf(options))
        {
            var name = part.Operation.Split(':')[0];
            var stream = name == Insert ? DrawnKeys.InsertStream : StreamOfNext();
            Add(operations, name, BuiltInCommand.Named(part.Operation, options.Expiry), part.Weight, stream);
        }

        foreach (var command in options.Commands)
        {
            var template = CommandTemplate.Parse(command.Text);
            Add(operations, NameOf(command.Text), template, command.Weight, StreamOfNext());
        }

        return operations;

        int StreamOfNext() => options.KeyStreams == KeyStreams.Shared ? 0 : operations.Count;
    }

    private static IReadOnlyList<MixPart> PartsOf(PhaseOptions options) =>
        options.Mix.Count + options.Commands.Count > 0 ? options.Mix : PartsOf(options.Workload ?? YcsbWorkload.A);

    private static IReadOnlyList<MixPart> PartsOf(YcsbWorkload workload) => workload switch
    {
        YcsbWorkload.A => [new("read", 0.5), new("update", 0.5)],
        YcsbWorkload.B => [new("read", 0.95), new("update", 0.05)],
        YcsbWorkload.C => [new("read", 1)],
        YcsbWorkload.D => [new("read", 0.95), new(Insert, 0.05)],
        YcsbWorkload.E => [new("scan:100", 0.95), new(Insert, 0.05)],
        _ => [new("read", 0.5), new("rmw", 0.5)],
    };

    private static void Add(
        List<MixedOperation> operations, string name, CommandTemplate command, double weight, int stream)
    {
        var same = operations.Count(known => IsNamed(known.Name, name));
        var unique = same == 0 ? name : string.Create(CultureInfo.InvariantCulture, $"{name}-{same + 1}");
        operations.Add(new MixedOperation(unique, command, weight, stream));
    }

    private static bool IsNamed(string known, string name) =>
        known == name || known.StartsWith($"{name}-", StringComparison.Ordinal);

    // Thresholds and tags of the log have room for letters and digits only.
    private static string NameOf(string command)
    {
        var word = command.Trim().Split(' ')[0].ToLowerInvariant();
        var name = string.Concat(word.Where(char.IsAsciiLetterOrDigit));
        return name.Length > 0 && char.IsAsciiLetter(name[0]) ? name : "command";
    }
}

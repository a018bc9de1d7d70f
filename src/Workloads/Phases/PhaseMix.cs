using System.Globalization;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

internal static class PhaseMix
{
    // What commands of a file are called together, where their order is chosen.
    public const string Replay = "replay";

    private const string Insert = "insert";

    public static OperationMix OfLoad(PhaseOptions options) =>
        new([new MixedOperation(Insert, BuiltInCommand.Named(Insert, ChoicesOf(options)))]);

    public static OperationMix Of(PhaseOptions options) =>
        new(OperationsOf(options), options.MixOrder == MixOrder.Cyclic, options.Turns);

    /// <summary>What keeps the operations of a phase from being made, or null.</summary>
    public static string? Problem(PhaseOptions options)
    {
        if (FieldsOf(options) is not { } fields)
            return null;
        return PartsOf(options).Select(part => fields.Problem(part.Operation)).FirstOrDefault(one => one is not null);
    }

    /// <summary>A named operation that writes and takes no expiry, or null.</summary>
    public static string? WithoutExpiry(PhaseOptions options) => PartsOf(options)
        .Select(part => part.Operation)
        .FirstOrDefault(operation => !BuiltInCommand.CanExpire(operation));

    /// <summary>The distribution of keys, as YCSB's workload files have it.</summary>
    public static string KeysOf(PhaseOptions options)
    {
        if (options.Keys is { } keys)
            return keys;
        if (HasOwnMix(options))
            return "uniform";
        return options.Workload == YcsbWorkload.D ? "latest" : "ycsb";
    }

    public static double InsertShare(OperationMix mix) =>
        mix.Operations.Where(operation => operation.KeyStream == DrawnKeys.InsertStream)
            .Sum(operation => operation.Weight)
        / mix.Operations.Sum(operation => operation.Weight);

    /// <summary>The distribution of each stream of keys.</summary>
    public static IReadOnlyList<KeyDistribution> StreamsOf(
        PhaseOptions options, OperationMix mix, KeyDistribution keys) =>
    [
        .. mix.Operations.Select(operation => operation.Command.Replayed is not null
                ? KeyDistribution.Parse(OwnKeys(options, Replay) ?? "sequential")
            : OwnKeys(options, operation.Name) is { } own ? KeyDistribution.Parse(own)
            : keys),
        keys,
    ];

    /// <summary>What records are made of where they are hashes; null where they are strings.</summary>
    public static RecordForm? FieldsOf(PhaseOptions options) => options.Fields is not { } fields ? null
        : new RecordForm(fields)
        {
            Prefix = options.FieldPrefix,
            ReadsAll = options.ReadFields == FieldChoice.All,
            WritesAll = options.WriteFields == FieldChoice.All,
            Index = options.Index,
        };

    private static CommandChoices ChoicesOf(PhaseOptions options) =>
        new(options.Expiry, options.LiteralNumbers, FieldsOf(options));

    private static string? OwnKeys(PhaseOptions options, string name) =>
        options.OperationKeys.FirstOrDefault(one => one.Operation == name)?.Keys;

    private static List<MixedOperation> OperationsOf(PhaseOptions options)
    {
        var operations = new List<MixedOperation>();
        var (choices, parts) = (ChoicesOf(options), PartsOf(options));
        List<CommandTemplate> replayed = options.Replay is { } file ? [.. MonitorFile.Parse(file).Templates] : [];
        foreach (var part in parts)
        {
            Add(part.Operation.Split(':')[0], BuiltInCommand.Named(part.Operation, choices), part.Weight);
        }

        foreach (var command in options.Commands)
        {
            var template = CommandTemplate.Parse(command.Text);
            Add(
                NameOf(command.Text), choices.KeepsNumbers ? template.KeepingNumbers() : template, command.Weight,
                parts.Count + command.KeysOf);
        }

        // The first of them is drawn for all: which one it is, the line of the file says.
        var replay = operations.Count;
        foreach (var template in replayed)
        {
            operations.Add(new MixedOperation(
                UniqueName(operations, NameOf(template.Text)), template,
                operations.Count == replay ? options.ReplayWeight : 0, replay));
        }

        return operations;

        void Add(string name, CommandTemplate command, double weight, int? keysOf = null)
        {
            var unique = UniqueName(operations, name);
            var isShared = options.KeyStreams == KeyStreams.Shared && OwnKeys(options, unique) is null;
            var stream = name == Insert ? DrawnKeys.InsertStream
                : isShared ? parts.Count + options.Commands.Count + replayed.Count
                : keysOf ?? operations.Count;
            operations.Add(new MixedOperation(unique, command, weight, stream));
        }
    }

    private static bool HasOwnMix(PhaseOptions options) =>
        options.Mix.Count + options.Commands.Count > 0 || options.Replay is not null;

    private static IReadOnlyList<MixPart> PartsOf(PhaseOptions options) =>
        HasOwnMix(options) ? options.Mix : PartsOf(options.Workload ?? YcsbWorkload.A);

    private static IReadOnlyList<MixPart> PartsOf(YcsbWorkload workload) => workload switch
    {
        YcsbWorkload.A => [new("read", 0.5), new("update", 0.5)],
        YcsbWorkload.B => [new("read", 0.95), new("update", 0.05)],
        YcsbWorkload.C => [new("read", 1)],
        YcsbWorkload.D => [new("read", 0.95), new(Insert, 0.05)],
        YcsbWorkload.E => [new("scan:100", 0.95), new(Insert, 0.05)],
        _ => [new("read", 0.5), new("rmw", 0.5)],
    };

    private static string UniqueName(List<MixedOperation> operations, string name)
    {
        var same = operations.Count(known => IsNamed(known.Name, name));
        return same == 0 ? name : string.Create(CultureInfo.InvariantCulture, $"{name}-{same + 1}");
    }

    // Not ping-inline, which is another than ping.
    private static bool IsNamed(string known, string name) => known == name
        || (known.StartsWith($"{name}-", StringComparison.Ordinal) && char.IsAsciiDigit(known[name.Length + 1]));

    // Thresholds and tags of the log have room for letters and digits only.
    internal static string NameOf(string command)
    {
        var word = command.Trim().Split(' ')[0].ToLowerInvariant();
        var name = string.Concat(word.Where(char.IsAsciiLetterOrDigit));
        return name.Length > 0 && char.IsAsciiLetter(name[0]) ? name : "command";
    }
}

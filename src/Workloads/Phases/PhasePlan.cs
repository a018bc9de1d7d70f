using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Keys;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Servers;
using RedisLatency.Workloads.Values;

namespace RedisLatency.Workloads.Phases;

/// <summary>A phase with every default settled; <see cref="At"/> says where.</summary>
internal sealed record PhasePlan : EnginePlan
{
    private const long DefaultRecords = 100_000;
    private const int DefaultConnections = 50;
    private const int DefaultInFlight = 16;
    private const double YcsbExpectation = 2;

    private static readonly TimeSpan DefaultWarmUp = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ShortWarmUp = TimeSpan.FromMilliseconds(100);
    private static readonly ValueSyntax<TimeSpan> Time = Syntax.Duration();

    [SetsRequiredMembers]
    public PhasePlan(string name, bool isLoad, PhaseOptions options, double scale = 1)
    {
        Name = name;
        IsLoad = isLoad;
        Options = options;
        Size = ValueSize.Parse(options.ValueSize);
        var records = options.TotalSize is { } bytes
            ? (long)(bytes / ((Size.Minimum + Size.Maximum) / 2.0))
            : options.Records ?? DefaultRecords;
        Records = Scaled(Math.Max(1, records), scale);
        (Threads, ConnectionsPerThread, ThreadsWithOneMore) = Share(options, Environment.ProcessorCount);
        HasTurnsEach = options.HasTurnsEach;
        HasTagOfEachPrimary = options.HasTagOfEachPrimary;
        OperationsEach = !isLoad && options.OperationsEach is { } each ? Scaled(each, scale) : null;
        Operations = isLoad ? Records : options.Operations is { } operations ? Scaled(operations, scale)
            : OperationsEach * Connections;
        var duration = options.Duration ?? (Operations is null ? DefaultDuration : (TimeSpan?)null);
        Duration = isLoad ? null : duration * scale;
        WarmUp = isLoad ? TimeSpan.Zero : (options.WarmUp ?? DefaultWarmUp) * Math.Min(1, scale);
        IdleConnections = options.IdleConnections;
        ReconnectEvery = options.ReconnectEvery;
        Rate = options.Rate;
        Arrival = options.Arrival;
        Pipeline = IsOpenLoop ? options.MaxInFlight ?? DefaultInFlight : options.Pipeline;
        SendsInBatches = options.SendsInBatches;
        Stamps = options.Stamps;
        OnError = options.OnError;
        MaximumRetries = options.MaxRetries;
        Verify = options.Verify;
        Seed = options.Seed;
        Mix = isLoad ? PhaseMix.OfLoad(options) : PhaseMix.Of(options);
        Keys = KeyDistribution.Parse(isLoad ? "partitioned" : PhaseMix.KeysOf(options));
        HasEveryKeyOnce = Keys.IsSequence
            || options.OperationKeys.Any(one => KeyDistribution.Parse(one.Keys).IsSequence);
        Form = KeyForm.Parse(options.KeyForm);
        Content = ValueContent.Parse(options.Value ?? (options.Verify ? "deterministic" : "ycsb"));
        var inserts = PhaseMix.InsertShare(Mix) * (Operations ?? 0) * YcsbExpectation;
        Space = new KeySpace(options.FirstRecord, Records, isLoad ? 0 : (long)inserts);
        Inputs = KeysWith(null).Create;
        Endpoints = [];
    }

    public static TimeSpan DefaultDuration { get; } = TimeSpan.FromSeconds(10);

    public string Name { get; private init; }

    /// <summary>What it belongs to in a scenario, or null.</summary>
    public string? Group { get; init; }

    public string FullName => Group is null ? Name : $"{Group}, {Name}";

    public bool IsLoad { get; }

    public PhaseOptions Options { get; init; }

    /// <summary>The options that somebody gave, as they would be typed.</summary>
    public IReadOnlyDictionary<string, string> Given { get; init; } = new Dictionary<string, string>();

    public TimeSpan Pause { get; init; }

    public IReadOnlyList<PublishedFigure> Published { get; init; } = [];

    public long Records { get; }

    public KeySpace Space { get; }

    // The first new record where that is not the one after all others. As YCSB's, no uniform, hotspot or sequential
    // draw has a new one then.
    public long? FirstInsert { get; init; }

    public KeyDistribution Keys { get; }

    public KeyForm Form { get; }

    public ValueSize Size { get; }

    public ValueContent Content { get; }

    /// <summary>Whether keys of some operation come in a sequence for each connection.</summary>
    public bool HasKeysByConnection => Keys.IsByConnection
        || Options.OperationKeys.Any(one => KeyDistribution.Parse(one.Keys).IsByConnection);

    /// <summary>In how many turns two servers are compared.</summary>
    public int Turns => TurnOrder.TurnsOf(
        Duration ?? (IsOpenLoop ? TimeSpan.FromSeconds((Operations ?? 0) / Options.Rate[0].To) : null),
        Operations ?? (IsOpenLoop ? Options.Rate[0].To * Duration?.TotalSeconds : null));

    /// <summary>A turn of it on one of two servers; where it is no load, a part of it.</summary>
    public PhasePlan TurnOf(string target, int turn, int turns) => this with
    {
        Group = target,
        Name = turns == 1 ? Name : string.Create(CultureInfo.InvariantCulture, $"{Name} {turn + 1}"),
        OperationsEach = OperationsEach / turns is { } each ? Math.Max(1, each) : null,
        Operations = OperationsEach / turns is { } some ? Math.Max(1, some) * Connections
            : Operations is { } operations ? Math.Max(1, operations / turns)
            : null,
        Duration = Duration / turns,
        // Later turns find server and caches as they were left.
        WarmUp = turn == 0 || WarmUp < ShortWarmUp ? WarmUp : ShortWarmUp,
    };

    public PhasePlan Again(int number) =>
        this with { Name = string.Create(CultureInfo.InvariantCulture, $"{Name} {number}") };

    /// <summary>One process's part of it, of several that measure it together.</summary>
    public PhasePlan PartOf(MemberShare member)
    {
        IReadOnlyList<RateStep> rate =
            [.. Rate.Select(step => step with { From = step.From / member.Count, To = step.To / member.Count })];
        var connections = member.Of(Connections);
        return this with
        {
            Member = member,
            Options = Options.With(options => options.Rate = rate),
            Rate = rate,
            ConnectionsPerThread = connections / Threads,
            ThreadsWithOneMore = connections % Threads,
            IdleConnections = member.Of(IdleConnections),
            AllOperations = OperationsEach is null ? Operations : null,
            Operations = OperationsEach is { } each ? each * connections
                : Operations is { } all ? WorkerShare.Share(all, member.Index, member.Count)
                : null,
        };
    }

    /// <summary>What keeps so many processes from sharing it out; null where nothing does.</summary>
    public string? ProblemOf(int members) => this switch
    {
        _ when Connections / members < Threads =>
            $"--expect, --connections: {Text(Connections)} connections of {Name} are fewer than the "
                + $"{Text((long)members * Threads)} threads that share them",
        _ when Operations < members =>
            $"--expect: {Text(members)} processes cannot share out {Text(Operations ?? 0)} operations of {Name}",
        _ when HasKeysByConnection && Connections % ((long)members * Threads) != 0 =>
            $"--expect, --keys: {Text(Connections)} connections with keys of their own are not shared out evenly",
        _ when !IsLoad && PhaseMix.InsertShare(Mix) > 0 =>
            "--expect, --mix: what one process inserts another would insert again",
        _ => null,
    };

    /// <summary>The same on its servers, with inserts of its own.</summary>
    public PhasePlan At(IReadOnlyList<ResolvedTarget> targets, RunningOptions running, bool isInProcess = false)
    {
        var isCluster = !isInProcess && running.Cluster switch
        {
            ClusterUse.On => true,
            ClusterUse.Off => false,
            _ => ObservedServers.IsOfCluster(targets[0]),
        };
        if (isCluster && Options.Index is not null)
            throw new RunRefusedException("--index: the records of a cluster lie on other nodes than their index");
        var inserts = PhaseMix.InsertShare(Mix) > 0 ? new InsertSequence(Space, FirstInsert) : null;
        var timeout = Options.CommandTimeout ?? targets[0].Endpoint.CommandTimeout
            ?? targets[0].Connection.CommandTimeout;
        return this with
        {
            Endpoints = [.. targets.Select(target => target.Endpoint)],
            IsCluster = isCluster,
            // The in-process server has no replicas.
            ReadFrom = isInProcess ? ReadPreference.Primary : running.ReadFrom,
            Connection = targets[0].Connection with
            {
                ClientName = Connection.ClientName,
                CommandTimeout = timeout,
            },
            Inputs = KeysWith(inserts).Create,
            Inserts = inserts,
            CommandTimeout = timeout,
            ReconnectLimit = running.ReconnectTimeout,
            FirstProcessor = running.Cpu,
        };
    }

    /// <summary>The same, with records, operations, durations and the pause multiplied.</summary>
    public PhasePlan Scaled(double scale)
    {
        var plan = new PhasePlan(Name, IsLoad, Options, scale) { Group = Group, Pause = Pause * scale };
        // The options as they took effect: what a scale changes is told as it is.
        var texts = new Dictionary<string, string>(Given) { ["records"] = Text(plan.Records) };
        texts.Remove("total-size");
        if (!IsLoad && plan.Operations is { } operations)
            texts["operations"] = Text(operations);
        if (plan.Duration is { } duration)
            texts["duration"] = Time.Write(duration)!;
        if (texts.ContainsKey("warmup"))
            texts["warmup"] = Time.Write(plan.WarmUp)!;
        return plan with { Given = texts, Published = Published };
    }

    public string? Problem()
    {
        if (Options.Verify && Mix.Operations.FirstOrDefault(operation => !operation.Command.CanVerify) is { } stranger)
        {
            return $"--verify: what {stranger.Name} reads or leaves is not compared; what get, rmw, set, mset, multi "
                + "and evalsha do is";
        }

        if (!IsLoad && Options.Expiry is not null && PhaseMix.WithoutExpiry(Options) is { } operation)
        {
            return $"--expiry: {operation} cannot say how long what it writes lives; set, update, insert, rmw and "
                + "multi can";
        }

        return FieldsProblem() ?? KeysProblem();
    }

    private string? FieldsProblem() =>
        Options.Fields is null && Mix.Operations.FirstOrDefault(one => one.Command.HasFields) is { } stranger
            ? $"--fields: {stranger.Name} names a field, and records have none"
            : null;

    private string? KeysProblem()
    {
        List<string> names =
        [
            .. Mix.Operations.Where(one => one.Command.Replayed is null).Select(one => one.Name),
            .. Options.Replay is null ? Array.Empty<string>() : [PhaseMix.Replay],
        ];
        foreach (var own in Options.OperationKeys)
        {
            if (!names.Contains(own.Operation))
            {
                return $"--operation-keys {own.Operation}: there is no such operation "
                    + $"(known: {string.Join(", ", names)})";
            }

            if (Mix.Operations.FirstOrDefault(one => one.Name == own.Operation)?.KeyStream == DrawnKeys.InsertStream)
                return $"--operation-keys {own.Operation}: it takes new records, one after the other";
            if (KeyDistribution.Parse(own.Keys).Problem(Space) is { } misfit)
                return $"--operation-keys {own.Operation}={own.Keys}: {misfit}";
        }

        return Keys.Problem(Space) is { } problem ? $"--keys {PhaseMix.KeysOf(Options)}: {problem}" : null;
    }

    /// <summary>How much it does, on what and how fast, in words.</summary>
    public string Describe()
    {
        var much = (Operations, Duration) switch
        {
            ({ } operations, { } duration) => $"{Quantity.Count(operations)} operations or {Seconds(duration)}",
            ({ } operations, null) => $"{Quantity.Count(operations)} operations",
            (null, { } duration) => Seconds(duration),
            _ => "until it is stopped",
        };
        var records = IsLoad ? string.Empty : $" on {Quantity.Count(Records)} records";
        var fast = IsOpenLoop
            ? $"{Quantity.Rate(Options.Rate[^1].To)} asked"
            : $"{Quantity.Count(Pipeline)} in flight on each";
        return $"{much}{records}, {Quantity.Count(Connections)} connections, {fast}";
    }

    private DrawnKeys KeysWith(InsertSequence? inserts) => new()
    {
        Space = Space,
        Streams = IsLoad ? [Keys] : PhaseMix.StreamsOf(Options, Mix, Keys),
        OwnSpaces = Mix.Operations.Where(one => one.Command.Replayed is not null).DistinctBy(one => one.KeyStream)
            .ToDictionary(one => one.KeyStream, one => new KeySpace(0, one.Command.Replayed?.Length ?? 1)),
        Fields = PhaseMix.FieldsOf(Options),
        Inserts = inserts,
        HasNewKeys = FirstInsert is null || Keys.Name is not ("uniform" or "hotspot" or "sequential"),
        Form = Form,
        Size = Size,
        Content = Content,
        Seed = (ulong)Seed,
    };

    // Clients are what YCSB calls threads: blocking ones with one connection each. Here as many threads share them
    // evenly as half of the processors allow, the server's half left alone.
    internal static (int Threads, int PerThread, int WithOneMore) Share(PhaseOptions options, int processors)
    {
        if (options.Clients is not { } clients)
            return (options.Threads ?? 1, options.Connections ?? DefaultConnections, 0);
        var threads = Math.Min(options.Threads ?? Math.Clamp(processors / 2, 1, clients), clients);
        while (options.Threads is null && clients % threads != 0)
            threads--;
        return (threads, clients / threads, clients % threads);
    }

    private static string Text(long count) => count.ToString(CultureInfo.InvariantCulture);

    private static long Scaled(long count, double scale) => Math.Max(1, (long)Math.Round(count * scale));

    private static string Seconds(TimeSpan duration) => Quantity.Duration(duration.TotalNanoseconds);
}

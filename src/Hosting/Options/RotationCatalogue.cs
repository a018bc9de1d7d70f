using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>The options of runs without an end; every service that can include them.</summary>
public static class RotationCatalogue
{
    /// <summary>The option that has a run go on until it is stopped.</summary>
    public const string Continuous = "--continuous";

    /// <summary>The option that has its folder closed each period.</summary>
    public const string Rotate = "--rotate";

    private const string Keep = "--keep";

    private static readonly TimeSpan ShortestPeriod = TimeSpan.FromSeconds(1);

    /// <summary>The options of the group, in the section Rotation.</summary>
    public static OptionCatalogue<RotationOptions> Create() =>
        new OptionCatalogue<RotationOptions>("Rotation")
            .Group("Without an end")
            .Add(Continuous, o => o.Continuous, Syntax.Flag, "Run until stopped")
            .Add(Rotate, o => o.Rotate, Syntax.Duration(ShortestPeriod).Optional(),
                "How often to close the results folder, with a verdict of its own, and to begin the next",
                shownDefault: "one folder")
            .Add(Keep, o => o.Keep, Syntax.Duration(ShortestPeriod).Optional(),
                "How long to keep closed folders of this run and instance, for instance 7d",
                shownDefault: "for ever")
            .Rule([Rotate, Continuous], o => o.Rotate is not null && !o.Continuous
                ? $"a run that ends has one folder; {Continuous} runs until it is stopped"
                : null)
            .Rule([Keep, Rotate], o => o.Keep is not null && o.Rotate is null
                ? $"only folders that {Rotate} has closed are deleted"
                : null)
            .Rule([Keep, Rotate], o => o.Keep < o.Rotate
                ? "a folder is kept for one period at least"
                : null);
}

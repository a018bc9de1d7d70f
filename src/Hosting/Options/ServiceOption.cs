namespace RedisLatency.Hosting.Options;

/// <summary>One option of a service, declared once: its description, and how it gets into the service's options.</summary>
/// <typeparam name="TOptions">The plain class that holds the values.</typeparam>
public sealed class ServiceOption<TOptions>
{
    internal ServiceOption(
        OptionDescription description,
        Func<TOptions, IReadOnlyList<string>> write,
        Func<TOptions, IReadOnlyList<string>, IReadOnlyList<OptionProblem>> set)
    {
        Description = description;
        Write = write;
        Set = set;
    }

    /// <summary>What help, command line and configuration know of it.</summary>
    public OptionDescription Description { get; }

    /// <summary>The values that the options hold now, as they could be typed.</summary>
    internal Func<TOptions, IReadOnlyList<string>> Write { get; }

    /// <summary>Sets the values given, all of them or, where one is wrong, none.</summary>
    internal Func<TOptions, IReadOnlyList<string>, IReadOnlyList<OptionProblem>> Set { get; }

    /// <summary>The same option for a class that holds this one's class in a property.</summary>
    internal ServiceOption<TOuter> Within<TOuter>(Func<TOuter, TOptions> part) =>
        new(Description, outer => Write(part(outer)), (outer, texts) => Set(part(outer), texts));
}

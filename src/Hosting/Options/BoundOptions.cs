namespace RedisLatency.Hosting.Options;

/// <summary>The options of a command, ready to run, with the place each came from.</summary>
/// <typeparam name="TOptions">The plain class that holds the values.</typeparam>
public sealed class BoundOptions<TOptions>(TOptions values, IEnumerable<EffectiveOption> effective)
{
    private readonly List<EffectiveOption> _effective = [.. effective];

    public TOptions Values { get; } = values;

    /// <summary>Every option with its value and where it came from; secrets are masked.</summary>
    public IReadOnlyList<EffectiveOption> Effective => _effective;

    /// <summary>Whether somebody set an option: a file, the environment or the command line.</summary>
    public bool IsGiven(string name) => Find(name).Source != OptionOrigin.Default.Source;

    /// <summary>Notes the value that a default turned out to mean, for instance the name made up for a run.</summary>
    public void Resolve(string name, string value)
    {
        var known = Find(name);
        _effective[_effective.IndexOf(known)] = known with { Value = value, Values = [value] };
    }

    private EffectiveOption Find(string name) => _effective.Find(option => option.Name == name)
        ?? throw new ArgumentException($"{name} is not in the catalogue", nameof(name));
}

namespace RedisLatency.Hosting.Options;

/// <summary>Options, files or environment say something that cannot be run. The program ends with 2.</summary>
public sealed class ConfigurationException(IReadOnlyList<string> problems)
    : Exception(string.Join(Environment.NewLine, problems))
{
    /// <summary>One thing is wrong.</summary>
    public ConfigurationException(string problem)
        : this([problem])
    {
    }

    /// <summary>Everything that is wrong, one line each.</summary>
    public IReadOnlyList<string> Problems { get; } = problems;
}

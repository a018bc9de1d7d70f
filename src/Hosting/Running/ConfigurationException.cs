namespace RedisLatency.Hosting.Running;

/// <summary>Options, files or environment say something that cannot be run. The program ends with 2.</summary>
public sealed class ConfigurationException(IReadOnlyList<string> problems)
    : Exception(string.Join(Environment.NewLine, problems))
{
    public ConfigurationException(string problem) : this([problem])
    {
    }

    public IReadOnlyList<string> Problems { get; } = problems;
}

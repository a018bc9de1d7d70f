using System.Reflection;

namespace RedisLatency.Hosting.CommandLine;

/// <summary>The version of the suite.</summary>
public static class ProgramVersion
{
    /// <summary>The version, with the commit it was built from where the build knew it.</summary>
    public static string Text { get; } =
        typeof(ProgramVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;
}

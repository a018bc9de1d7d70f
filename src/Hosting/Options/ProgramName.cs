using System.Reflection;
using System.Runtime.CompilerServices;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>How this program is started, so that what help shows can be pasted.</summary>
public static class ProgramName
{
    private const string Company = "RedisLatency.";
    private const string Tool = "redis-latency";

    private static readonly string? Entry = Assembly.GetEntryAssembly()?.GetName().Name;

    /// <summary>
    /// What starts this program again: as the checkout does that it was built in, else the file that was started. Null
    /// where this process is none of a program of that name.
    /// </summary>
    /// <param name="name">The service (<c>Producer</c>), or the tool.</param>
    internal static string? AsStarted(string name)
    {
        if (Entry != (name == Tool ? Tool : Company + name))
            return null;
        return RunInCheckout(name == Tool ? "Tool" : name)
            ?? (Path.GetFileName(Environment.ProcessPath)?.StartsWith(Entry, StringComparison.Ordinal) is true
                ? Entry
                : $"dotnet {Entry}.dll");
    }

    /// <summary>Whether this process is the one program that has all services as words.</summary>
    public static bool IsTool => Entry == Tool && Path.GetFileNameWithoutExtension(Environment.ProcessPath) == Tool;

    /// <summary>What starts another service from where this program was started.</summary>
    /// <param name="service">Its project: <c>Consumer</c>.</param>
    public static string ToStart(string service) =>
        Entry == Tool
            ? $"{AsStarted(Tool)} {Spelling.KebabOf(service)}"
            : RunInCheckout(service) ?? Company + service;

    /// <summary>What prints a saved run again, without its folder.</summary>
    public static string ToShow => Entry == Tool ? $"{AsStarted(Tool)} report show"
        : Entry?.StartsWith(Company, StringComparison.Ordinal) is true ? $"{AsStarted(Entry[Company.Length..])} show"
        : "show";

    // A native program is a file of its own, wherever it lies.
    private static string? RunInCheckout(string name)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled)
            return null;
        var project = $"src/{name}";
        for (var above = new DirectoryInfo(AppContext.BaseDirectory); above is not null; above = above.Parent)
        {
            if (File.Exists(Path.Combine(above.FullName, project, $"{name}.csproj")))
                return $"dotnet run -c Release --project {project} --";
        }

        return null;
    }
}

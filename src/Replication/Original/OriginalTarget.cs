using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Replication.Original;

internal static class OriginalTarget
{
    public static RedisEndpoint Resolve(
        OriginalOptions options, IReadOnlyDictionary<string, string> environment, Func<string, string?> readLine)
    {
        if (options.Host.Split(':') is [_, var port] && port.Length > 0 && port.All(char.IsAsciiDigit))
            throw new ConfigurationException($"HOST {options.Host}: without the port, which is a word of its own");
        var host = options.Host.Contains("://", StringComparison.Ordinal) || !options.Host.Contains(':')
            ? options.Host
            : $"[{options.Host.Trim('[', ']')}]";
        var text = string.Create(CultureInfo.InvariantCulture, $"{host.TrimEnd('/')}:{options.Port}");
        if (!RedisEndpoint.TryParse(text, out var endpoint, out var problem))
            throw new ConfigurationException($"HOST: {problem}");
        TargetResolution.RequireTls(options.Tls, endpoint);
        endpoint = TargetResolution.WithTls(endpoint, options.Tls);
        var credentials = options.Password switch
        {
            "-" => environment.GetValueOrDefault(PasswordSources.EnvironmentVariable) ?? readLine(endpoint.Address) ?? string.Empty,
            ['@', .. var file] => FirstLine(file),
            var typed => typed,
        };
        return credentials.Length == 0 ? endpoint : WithCredentials(endpoint, credentials);
    }

    private static RedisEndpoint WithCredentials(RedisEndpoint endpoint, string credentials)
    {
        var colon = credentials.IndexOf(':', StringComparison.Ordinal);
        return endpoint with
        {
            User = colon > 0 ? credentials[..colon] : null,
            Password = new RedisPassword(credentials[(colon + 1)..]),
        };
    }

    private static string FirstLine(string file)
    {
        try
        {
            return SmallFile.ReadFirstLine(file);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ConfigurationException($"PASSWORD @{file}: {failure.Message}");
        }
    }
}
